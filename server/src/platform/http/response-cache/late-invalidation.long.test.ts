import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { type DatabaseProxy, openDatabaseProxy } from '../../../../testing/database-proxy.ts';
import { openReadingProcess, type ReadingProcess } from '../../../../testing/http/reading-process.ts';
import { writeListings } from '../../../../testing/outdated-copies.ts';
import { type MadeListing, makeListing } from '../../../../testing/subjects/registry.factory.ts';

const SOON = { timeout: 60_000 };

let test: TestDatabase;
let line: DatabaseProxy;
let process: ReadingProcess;
let listing: MadeListing;

beforeEach(async () => {
  test = await createTestDatabase();
  listing = await makeListing(test.database, { stars: 1 });
  line = await openDatabaseProxy(test.url);
});
afterEach(async () => {
  line.hush(false);
  await process.close();
  await line.close();
  await test.close();
});

const url = () => `/api/agents/${listing.agentId}`;
/** Commits a change in another process, whose client has seen it confirmed. */
const acknowledge = (stars: number) =>
  writeListings(test.database, 'UPDATE listing SET stars = $2 WHERE subject_id = $1', [listing.id, stars]);

async function starsShown(): Promise<number> {
  const answer = await process.app.inject(url());
  return answer.json().repoHost.stars;
}

describe('a process that receives invalidations late', () => {
  it('neither confirms an outdated tag with a 304 nor serves outdated data', async () => {
    process = await openReadingProcess(test.url, { notificationsUrl: line.url, confirmMs: 50 });
    const first = await process.app.inject(url());
    const headers = { 'if-none-match': String(first.headers.etag) };
    expect((await process.app.inject({ url: url(), headers })).statusCode).toBe(304);
    line.hush(true);

    for (const stars of [2, 3, 4]) {
      await acknowledge(stars);
      const answer = await process.app.inject({ url: url(), headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.json().repoHost.stars).toBe(stars);
    }
  });

  it('makes a request wait until invalidations have arrived', async () => {
    process = await openReadingProcess(test.url, { notificationsUrl: line.url });
    expect(await starsShown()).toBe(1);
    line.hush(true);
    await acknowledge(2);
    let isAnswered = false;
    const asked = starsShown().finally(() => {
      isAnswered = true;
    });
    // Other requests are handled meanwhile.
    await process.app.inject('/healthz');
    expect(isAnswered).toBe(false);

    line.hush(false);

    expect(await asked).toBe(2);
  });

  it('shares no read that began before a pending invalidation', async () => {
    process = await openReadingProcess(test.url, { notificationsUrl: line.url, confirmMs: 50 });
    let go: () => void = () => undefined;
    const read = new Promise<void>((tell) => {
      process.onRows(() => {
        process.onRows(async () => undefined);
        tell();
        return new Promise((resolve) => {
          go = resolve;
        });
      });
    });
    const before = starsShown();
    await read;
    line.hush(true);
    await acknowledge(2);

    expect(await starsShown()).toBe(2);

    go();
    expect(await before).toBe(1);
  });

  it('caches nothing while it starts', async () => {
    line.hush(true);
    process = await openReadingProcess(test.url, { notificationsUrl: line.url, waits: false });
    for (const stars of [2, 3]) {
      await acknowledge(stars);
      expect(await starsShown()).toBe(stars);
    }
    expect(process.cache?.bytes).toBe(0);

    line.hush(false);
    await vi.waitUntil(() => process.cache?.isOpen, SOON);
    expect(await starsShown()).toBe(3);
    await acknowledge(4);
    expect(await starsShown()).toBe(4);
  });

  itAtNight(
    'serves new data after a transaction with too many changes for individual notifications',
    async () => {
      process = await openReadingProcess(test.url, { notificationsUrl: line.url });
      expect(await starsShown()).toBe(1);
      for (let more = 0; more < 110; more += 1)
        await makeListing(test.database, { repository: `many/listing-${more}` });
      expect(await starsShown()).toBe(1);

      await writeListings(test.database, 'UPDATE listing SET stars = stars + 5');

      expect(await starsShown()).toBe(6);
    },
  );
});
