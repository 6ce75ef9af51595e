import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type DatabaseLine, openDatabaseLine } from '../../../testing/database-line.ts';
import { openReadingProcess, type ReadingProcess } from '../../../testing/http/reading-process.ts';
import { type MadeListing, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { inTransaction } from '../../database/transaction.ts';

const SOON = { timeout: 60_000 };

let test: TestDatabase;
let line: DatabaseLine;
let process: ReadingProcess;
let listing: MadeListing;

beforeEach(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database, { stars: 1 });
  line = await openDatabaseLine(test.url);
  process = await openReadingProcess(test.url, { via: line.url });
});
afterEach(async () => {
  line.hush(false);
  await process.close();
  await line.close();
  await test.close();
});

const url = () => `/api/agents/${listing.agentId}`;
const giveStars = (stars: number, { database } = process.services) =>
  database.query('UPDATE listing SET stars = $2 WHERE subject_id = $1', [listing.id, stars]);

async function starsShown(): Promise<number> {
  const answer = await process.app.inject(url());
  return answer.json().repoHost.stars;
}

/** Holds back the first answer whose rows were read, until `go`. */
function holdBack(): { read: Promise<void>; go(): void } {
  let go: () => void = () => undefined;
  let tellRead: () => void = () => undefined;
  const going = new Promise<void>((resolve) => {
    go = resolve;
  });
  const read = new Promise<void>((resolve) => {
    tellRead = resolve;
  });
  process.onRows(() => {
    process.onRows(async () => undefined);
    tellRead();
    return going;
  });
  return { read, go: () => go() };
}

describe('a read that began before a commit', () => {
  it('neither leaves its old answer behind nor gives it to those who ask after the commit', async () => {
    const held = holdBack();
    const before = starsShown();
    await held.read;

    await giveStars(2);
    const after = await starsShown();
    held.go();

    expect([await before, after]).toEqual([1, 2]);
    expect(await starsShown()).toBe(2);
  });

  it('leaves no old answer behind where a whole transaction ended meanwhile', async () => {
    const held = holdBack();
    let before: Promise<number> = Promise.resolve(0);
    await inTransaction(process.services.database, async (connection) => {
      await connection.query('UPDATE listing SET stars = 3 WHERE subject_id = $1', [listing.id]);
      // What was told inside of the transaction is not known to anybody yet.
      before = starsShown();
      await held.read;
    });

    const after = await starsShown();
    held.go();

    expect([await before, after, await starsShown()]).toEqual([1, 3, 3]);
  });

  it('is one read for all who ask meanwhile', async () => {
    const held = holdBack();
    const first = starsShown();
    await held.read;
    const sent = process.statements();

    const others = [starsShown(), starsShown(), starsShown()];
    const known = process.app.inject({ url: url(), headers: { 'if-none-match': '*' } });
    held.go();

    expect(await Promise.all([first, ...others])).toEqual([1, 1, 1, 1]);
    expect((await known).statusCode).toBe(304);
    expect(process.statements()).toBe(sent);
  });

  it('that fails leaves those who waited to read for themselves', async () => {
    let fails: () => void = () => undefined;
    const failing = new Promise<void>((_, reject) => {
      fails = () => reject(new Error('gone'));
    });
    const reading = new Promise<void>((resolve) => {
      process.onRows(() => {
        process.onRows(async () => undefined);
        resolve();
        return failing;
      });
    });
    const first = process.app.inject(url());
    await reading;
    const second = starsShown();

    fails();

    expect((await first).statusCode).toBe(500);
    expect(await second).toBe(1);
  });
});

describe('a process that may have missed a change', () => {
  const isKept = () => process.memory?.get(url()) !== undefined;

  it('keeps nothing until it hears again, and nothing of what it had', async () => {
    expect(await starsShown()).toBe(1);
    expect(isKept()).toBe(true);
    const closed = vi.spyOn(process.memory ?? expect.fail(), 'close');

    await test.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'trust-directory changes'`,
    );
    await vi.waitUntil(() => closed.mock.calls.length > 0, SOON);
    await vi.waitUntil(() => process.memory?.isOpen, SOON);

    expect(isKept()).toBe(false);
    expect(await starsShown()).toBe(1);
    await vi.waitUntil(async () => (await starsShown()) === 1 && isKept(), SOON);
    await giveStars(4, { database: test.database } as never);
    await vi.waitUntil(async () => (await starsShown()) === 4, SOON);
  });

  it('reads everything anew while its line says nothing, although that may still live', async () => {
    const doubting = await openReadingProcess(test.url, { via: line.url, trustedMs: 900 });
    const shown = async () => (await doubting.app.inject(url())).json().repoHost.stars;
    expect(await shown()).toBe(1);

    line.hush(true);
    await giveStars(6, { database: test.database } as never);
    await vi.waitUntil(() => !doubting.memory?.isTrusted, SOON);
    expect(await shown()).toBe(6);

    line.hush(false);
    await vi.waitUntil(() => doubting.memory?.isTrusted, SOON);
    expect(await shown()).toBe(6);
    await doubting.close();
  });

  it('notices that its line has died quietly, and reads everything anew until it is back', async () => {
    expect(await starsShown()).toBe(1);

    line.hush(true);
    await giveStars(5, { database: test.database } as never);
    await vi.waitUntil(() => process.memory?.isOpen === false, SOON);
    const sent = process.statements();
    const shown = [await starsShown(), await starsShown()];

    expect(shown).toEqual([5, 5]);
    expect(process.statements()).toBeGreaterThan(sent + 1);
    line.hush(false);
    await vi.waitUntil(() => process.memory?.isOpen, SOON);
    expect(await starsShown()).toBe(5);
  });
});

describe('what is sent from memory', () => {
  it('has the request’s own headers, and a 304 for anyone who has it', async () => {
    const first = await process.app.inject(url());
    const again = await process.app.inject({ url: url(), headers: { origin: 'https://page.example' } });
    const { etag } = again.headers;
    const known = await process.app.inject({ url: url(), headers: { 'if-none-match': String(etag) } });

    expect(first.headers['x-request-id']).not.toBe(again.headers['x-request-id']);
    const { 'x-request-id': _one, date: _then, ...headers } = first.headers;
    expect(again.headers).toMatchObject(headers);
    expect(known).toMatchObject({ statusCode: 304, body: '' });
    expect(known.headers).toMatchObject({ etag, vary: 'Origin, accept-encoding' });
    expect(known.headers['content-type']).toBeUndefined();
  });

  it('was asked for first by one who had it: others get the whole', async () => {
    const answer = await process.app.inject({ url: url(), headers: { 'if-none-match': '*' } });
    expect(answer.statusCode).toBe(304);

    const whole = await process.app.inject(url());

    expect(whole.statusCode).toBe(200);
    expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(whole.json()).toMatchObject({ id: listing.agentId });
  });

  it('is no failure and no answer to another method', async () => {
    const missing = '/api/agents/AGT-ZZZZZZZZ';
    await process.app.inject(missing);
    await process.app.inject({ method: 'HEAD', url: url() });

    expect(process.memory?.get(missing)).toBeUndefined();
    expect(process.memory?.bytes).toBe(0);
  });
});
