import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { artifact, listing, type Row } from '../../testing/import/rows.ts';
import { saveRows } from '../../testing/import/save-rows.ts';
import type { Connection } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { parseRow } from './parse-row.ts';
import type { ParsedRow } from './row-kinds.ts';

// Both are copied, and scored in one go.
const FEW = 50;
const MANY = 100;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

/** How often each function of the database runs while a batch is stored and scored. */
function callsOf(rows: readonly Row[]): Promise<Record<string, number>> {
  return inTransaction(test.database, async (connection) => {
    await connection.query("SET LOCAL track_functions = 'all'");
    await lockLineage(connection);
    const before = await countCalls(connection);
    const parsed = rows.map((row) => parseRow(JSON.stringify(row)) as ParsedRow);
    const { outcomes } = await saveRows(connection, parsed);
    expect(outcomes).toEqual(rows.map(() => 'added'));
    const after = await countCalls(connection);
    // Calls of the session's earlier transactions may not have been counted elsewhere yet.
    const here = Object.entries(after).map(([name, times]) => [name, times - (before[name] ?? 0)] as const);
    return Object.fromEntries(here.filter(([, times]) => times > 0));
  });
}

async function countCalls(connection: Connection): Promise<Record<string, number>> {
  const counted = await connection.query<{ name: string; calls: number }>(
    'SELECT funcname AS name, calls::int FROM pg_stat_xact_user_functions ORDER BY 1',
  );
  return Object.fromEntries(counted.map(({ name, calls }) => [name, calls]));
}

const some = (count: number, make: (place: number) => Row) =>
  Array.from({ length: count }, (_, place) => make(place));

describe('a batch runs the functions of the database as often, however many rows it has', () => {
  it('of listings with new creators, names, words and scores', async () => {
    const rows = (count: number, owner: string) =>
      some(count, (place) =>
        listing(`${owner}${place}/tool`, { stars: place, tags: ['one', 'two'], license: 'MIT' }),
      );

    const few = await callsOf(rows(FEW, 'few'));
    const many = await callsOf(rows(MANY, 'many'));

    expect(few).toMatchObject({ name_added_listings: 1, rank_new_listings: 1, count_new_listings: 1 });
    expect(many).toEqual(few);
  });

  it('of artifacts', async () => {
    const rows = (count: number, owner: string) =>
      some(count, (place) => artifact(`${owner}${place % FEW}/tool`, `part ${place}`));

    const few = await callsOf(rows(FEW, 'few'));
    const many = await callsOf(rows(MANY, 'many'));

    expect(few).toMatchObject({ name_artifacts: 1 });
    expect(many).toEqual(few);
  });
});
