import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { artifact, listing, type Row } from '../../../testing/import/rows.ts';
import { saveRows } from '../../../testing/import/save-rows.ts';
import { lockRegistry } from '../../catalog/registry-locks.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { withIndexPlans } from '../../platform/database/send-statement.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { parseRow } from './parse-row.ts';
import type { ParsedRow } from './validate-row.ts';

// Batches of both sizes are stored by COPY, and scored in one batch.
const FEW = 50;
const MANY = 100;
/**
 * Number of batches. The import plans its statements again in the first, second, fourth and eighth batch, so nine
 * batches use all of these plans.
 */
const BATCHES = 9;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** Counts the calls of each database function while a batch is stored and scored. */
function callsOf(rows: readonly Row[]): Promise<Record<string, number>> {
  return inTransaction(test.database, async (connection) => {
    await connection.query("SET LOCAL track_functions = 'all'");
    await lockRegistry(connection);
    return counted(connection, CALLS, async () => {
      const parsed = rows.map((row) => parseRow(JSON.stringify(row)) as ParsedRow);
      const { outcomes } = await saveRows(connection, parsed);
      expect(outcomes).toEqual(rows.map(() => 'added'));
    });
  });
}

const CALLS = 'SELECT funcname AS name, calls::int AS times FROM pg_stat_xact_user_functions ORDER BY 1';
const ROWS_READ = `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS times
  FROM pg_stat_xact_user_tables WHERE schemaname = 'public' ORDER BY 1`;

const WRITTEN_AGAIN = `SELECT unnest(ARRAY['in its page', 'elsewhere']) AS name,
  unnest(ARRAY[n_tup_hot_upd, n_tup_upd - n_tup_hot_upd])::int AS times
  FROM pg_stat_xact_user_tables WHERE relid = 'subject'::regclass`;

/** Returns how much the work adds to these counters; earlier transactions of the session may be counted late. */
async function counted(connection: Connection, counts: string, work: () => Promise<unknown>) {
  const read = () => connection.query<{ name: string; times: number }>(counts);
  const before = new Map((await read()).map(({ name, times }) => [name, times]));
  await work();
  const here = (await read()).map(({ name, times }) => [name, times - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(here.filter(([, times]) => times > 0));
}

const some = (count: number, make: (place: number) => Row) =>
  Array.from({ length: count }, (_, place) => make(place));

describe('a batch calls each database function equally often, however many rows it has', () => {
  it('of listings with new creators, names, words and scores', async () => {
    const rows = (count: number, owner: string) =>
      some(count, (place) =>
        listing(`${owner}${place}/tool`, { stars: place, tags: ['one', 'two'], license: 'MIT' }),
      );

    const few = await callsOf(rows(FEW, 'few'));
    const many = await callsOf(rows(MANY, 'many'));

    expect(few).toEqual({
      announce: 1,
      announce_changed: 3,
      announce_scores: 1,
      announce_touched: 9,
      count_new_listings: 1,
      name_added: 1,
      name_added_listings: 1,
      name_creators: 1,
      record_added: 1,
      record_new_creators: 1,
      record_relations: 4,
      record_scores: 1,
    });
    expect(many).toEqual(few);
  });

  itAtNight('of artifacts', async () => {
    const rows = (count: number, owner: string) =>
      some(count, (place) => artifact(`${owner}${place % FEW}/tool`, `part ${place}`));

    const few = await callsOf(rows(FEW, 'few'));
    const many = await callsOf(rows(MANY, 'many'));

    expect(few).toMatchObject({ name_artifacts: 1 });
    expect(many).toEqual(few);
  });
});

it('a batch reads no more stored rows when there are more of them', async () => {
  const read: Record<string, number>[] = [];
  for (let batch = 1; batch <= BATCHES; batch += 1) {
    const rows = some(FEW, (place) =>
      listing(`owner${place}-${batch}/tool`, { stars: 1, tags: ['one', 'two'] }),
    );
    read.push(await readBy(rows));
  }

  const [early, late] = [read[2] ?? {}, read.at(-1) ?? {}];
  expect(Object.keys(early).length).toBeGreaterThan(3);
  expect(Object.entries(late).filter(([name, times]) => times > (early[name] ?? 0))).toEqual([]);
});

it('a first score adds no index entries of its subject: its page has free space (HOT update)', async () => {
  const rows = some(MANY, (place) => listing(`room${place}/tool`));

  const written = await inTransaction(test.database, async (connection) => {
    await lockRegistry(connection);
    return counted(connection, WRITTEN_AGAIN, () =>
      saveRows(
        connection,
        rows.map((row) => parseRow(JSON.stringify(row)) as ParsedRow),
      ),
    );
  });

  expect(written).toEqual({ 'in its page': MANY });
});

/** Counts the rows read per table while a batch is stored and scored by the import. */
function readBy(rows: readonly Row[]): Promise<Record<string, number>> {
  return inTransaction(test.database, async (session) => {
    const connection = await withIndexPlans(session);
    await lockRegistry(connection);
    return counted(session, ROWS_READ, () =>
      saveRows(
        connection,
        rows.map((row) => parseRow(JSON.stringify(row)) as ParsedRow),
      ),
    );
  });
}
