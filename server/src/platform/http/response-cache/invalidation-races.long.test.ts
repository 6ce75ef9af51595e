import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../../../../testing/database-proxy.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { type MadeListing, makeListing } from '../../../../testing/subjects/registry.factory.ts';
import { inTransaction } from '../../database/transaction.ts';

const SOON = { timeout: 60_000 };

let test: TestDatabase;
let line: DatabaseProxy;
let process: ReadingProcess;
let listing: MadeListing;

beforeEach(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database, { stars: 1 });
  line = await openDatabaseProxy(test.url);
  process = await openReadingProcess(test.url, { notificationsUrl: line.url });
});
afterEach(async () => {
  line.hush(false);
  await process.close();
  await line.close();
  await test.close();
});

const url = () => `/api/agents/${listing.agentId}`;
const giveStars = (stars: number, { database } = process.services) =>
  writeListings(database, 'UPDATE listing SET stars = $2 WHERE subject_id = $1', [listing.id, stars]);

async function starsShown(): Promise<number> {
  const answer = await process.app.inject(url());
  return answer.json().repoHost.stars;
}

/** Holds back the first response whose rows were read, until `go`. */
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
  it('neither caches its old response nor shares it with requests after the commit', async () => {
    const held = holdBack();
    const before = starsShown();
    await held.read;

    await giveStars(2);
    const after = await starsShown();
    held.go();

    expect([await before, after]).toEqual([1, 2]);
    expect(await starsShown()).toBe(2);
  });

  it('caches no old response if a whole transaction ended meanwhile', async () => {
    const held = holdBack();
    let before: Promise<number> = Promise.resolve(0);
    await inTransaction(process.services.database, async (connection) => {
      await writeListings(connection, 'UPDATE listing SET stars = 3 WHERE subject_id = $1', [listing.id]);
      // Changes reported inside the transaction are not visible to others yet.
      before = starsShown();
      await held.read;
    });

    const after = await starsShown();
    held.go();

    expect([await before, after, await starsShown()]).toEqual([1, 3, 3]);
  });

  it('is shared by all requests meanwhile', async () => {
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

  itAtNight('that fails makes the waiting requests read for themselves', async () => {
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
  const isKept = () => process.cache?.get(url()) !== undefined;

  it('caches nothing until invalidations arrive again, and drops what it had', async () => {
    expect(await starsShown()).toBe(1);
    expect(isKept()).toBe(true);
    const closed = vi.spyOn(process.cache ?? expect.fail(), 'close');

    await test.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'trust-directory changes'`,
    );
    await vi.waitUntil(() => closed.mock.calls.length > 0, SOON);
    await vi.waitUntil(() => process.cache?.isOpen, SOON);

    expect(isKept()).toBe(false);
    expect(await starsShown()).toBe(1);
    await vi.waitUntil(async () => (await starsShown()) === 1 && isKept(), SOON);
    await giveStars(4, { database: test.database } as never);
    await vi.waitUntil(async () => (await starsShown()) === 4, SOON);
  });

  it('reads from the database as soon as its connection is silent, even if that may be alive', async () => {
    const doubting = await openReadingProcess(test.url, { notificationsUrl: line.url, confirmMs: 50 });
    const shown = async () => (await doubting.app.inject(url())).json().repoHost.stars;
    expect(await shown()).toBe(1);
    expect(doubting.cache?.get(url())).toBeDefined();

    line.hush(true);
    await giveStars(6, { database: test.database } as never);
    const shownAtOnce = await shown();

    expect(shownAtOnce).toBe(6);
    line.hush(false);
    await doubting.close();
  });

  itAtNight('detects a silently dead connection, and reads from the database until it is back', async () => {
    expect(await starsShown()).toBe(1);

    line.hush(true);
    await giveStars(5, { database: test.database } as never);
    await vi.waitUntil(() => process.cache?.isOpen === false, SOON);
    const sent = process.statements();
    const shown = [await starsShown(), await starsShown()];

    expect(shown).toEqual([5, 5]);
    expect(process.statements()).toBeGreaterThan(sent + 1);
    line.hush(false);
    await vi.waitUntil(() => process.cache?.isOpen, SOON);
    expect(await starsShown()).toBe(5);
  });
});

describe('a response from the cache', () => {
  itAtNight('has the request’s own headers, and a 304 for anyone who has it', async () => {
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

  itAtNight('is complete even if the first client got a 304', async () => {
    const answer = await process.app.inject({ url: url(), headers: { 'if-none-match': '*' } });
    expect(answer.statusCode).toBe(304);

    const whole = await process.app.inject(url());

    expect(whole.statusCode).toBe(200);
    expect(whole.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(whole.json()).toMatchObject({ id: listing.agentId });
  });

  it('is never a failure or a response to another method', async () => {
    const missing = '/api/agents/AGT-ZZZZZZZZ';
    await process.app.inject(missing);
    await process.app.inject({ method: 'HEAD', url: url() });

    expect(process.cache?.get(missing)).toBeUndefined();
    expect(process.cache?.bytes).toBe(0);
  });
});
