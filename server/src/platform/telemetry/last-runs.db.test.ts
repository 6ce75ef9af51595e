import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createImportWorkspace, type ImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing } from '../../../testing/import/rows.ts';
import { refreshListings } from '../../intake/refresh/refresh-run.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { createMeter } from './meter.ts';
import { collectStoredMetrics } from './stored-metrics.queries.ts';

let work: ImportWorkspace;

beforeAll(async () => {
  work = await createImportWorkspace();
});
afterEach(() => work.empty());
afterAll(() => work.close());

/** Returns the metrics of a job's last run from a server's scrape. */
async function lastRun(name: 'import' | 'refresh', after = 0) {
  const meter = createMeter();
  collectStoredMetrics(meter, work.database);
  const { text } = await meter.scrape();
  const told = (figure: string) => {
    const found = new RegExp(`^trust_directory_last_run_${figure}{work="${name}"} (.+)$`, 'm').exec(text);
    return found && Number(found[1]);
  };
  const [endedAt, seconds] = [told('ended_timestamp_seconds'), told('seconds')];
  const [{ now } = { now: 0 }] = await work.database.query<{ now: number }>(
    'SELECT extract(epoch FROM ledger_now())::float8 AS now',
  );
  const isOfToday = endedAt !== null && endedAt > after && endedAt <= now && now - endedAt < 86_400;
  return {
    finished: told('finished'),
    listings: told('listings'),
    isOfToday,
    endedAt,
    took: seconds !== null && seconds > 0,
  };
}

const ROWS = ['one/first', 'two/second', 'three/third'].map((repository) => listing(repository));
const NOTHING = { finished: null, listings: null, isOfToday: false, endedAt: null, took: false };

it('nothing is told of an import before the first; then when it ended, how long it took and of how many listings', async () => {
  expect(await lastRun('import')).toEqual(NOTHING);

  await work.store(...ROWS, { type: 'skill', name: 'no repository' });

  const first = await lastRun('import');
  expect(first).toMatchObject({ finished: 1, listings: 3, isOfToday: true, took: true });
  await work.store(...ROWS.slice(1));
  const second = await lastRun('import', first.endedAt ?? 0);
  expect(second).toMatchObject({ finished: 1, listings: 2, isOfToday: true, took: true });
});

it('an import that failed or was interrupted did not finish, and one after it did', async () => {
  const file = await work.file(ROWS);
  await work.run([file], { signal: AbortSignal.abort() });
  expect(await lastRun('import')).toMatchObject({ finished: 0, isOfToday: true });

  await work.run([file]);
  expect(await lastRun('import')).toMatchObject({ finished: 1, listings: 3 });

  await expect(work.run(['/nowhere/listings.ndjson'])).rejects.toThrow();
  expect(await lastRun('import')).toMatchObject({ finished: 0, listings: 0, isOfToday: true });
});

it('a refresh is told of beside it, with the listings that it read', async () => {
  await work.store(...ROWS);
  const parts = { database: work.database, backend: embeddedBackend, hosts: {} as never };

  await refreshListings(parts, [], { signal: new AbortController().signal });

  expect(await lastRun('refresh')).toMatchObject({ finished: 1, listings: 0, isOfToday: true, took: true });
  expect(await lastRun('import')).toMatchObject({ finished: 1, listings: 3 });
  await refreshListings(parts, [], { signal: AbortSignal.abort() });
  expect(await lastRun('refresh')).toMatchObject({ finished: 0 });
});
