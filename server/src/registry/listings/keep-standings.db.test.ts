import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../database/connect.ts';
import { connect } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { loadAgentRecords } from '../../directory/agent-record.repository.ts';
import { countStandings, keepStandings } from './keep-standings.ts';
import { lockStandings } from './standings.repository.ts';

let test: TestDatabase;
let database: Database;
/** Most are what nothing is known of: the same trust. */
const TRUSTS = [31.1, 31.1, 31.1, 31.1, 31.1, 31.1, 31.1, 31.1, 31.1, 31.1, 24.5, 28, 33.2, 40, 40, 40, 44.4];
const MORE = [47.9, 51.2, 51.3, 58, 60.7, 64.4, 64.4, 70];

async function makeScored(trust: number, category: string, verdict = 'well_evidenced'): Promise<string> {
  const listing = await makeListing(database, { category, type: 'agent' });
  await makeScore(database, listing, { trust, confidence: 48 });
  await database.query("UPDATE listing_rank SET verdict = $2, reasons = '{}' WHERE subject_id = $1", [
    listing.id,
    verdict,
  ]);
  return listing.id;
}

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 4 });
  database = test.database;
  await replaceClock(database);
  await setClock(database, '2026-11-20T06:00:00Z');
  for (const trust of [...TRUSTS, ...MORE]) await makeScored(trust, 'coding');
  for (const trust of TRUSTS) await makeScored(trust, 'data');
}, 60_000);
afterAll(() => test.close());

const standingOf = async (id: string) => (await loadAgentRecords(database, [id]))[0]?.standing;
const rows = () =>
  database.query<{ id: string }>('SELECT subject_id AS id FROM listing_rank WHERE category = $1', ['coding']);

describe('where a listing stands in its category', () => {
  it('is the share of the others that has less trust, never more than there are', async () => {
    await countStandings(database);

    const ids = (await rows()).map(({ id }) => id);
    const records = await loadAgentRecords(database, ids);
    expect(records).toHaveLength(25);
    for (const { trust, standing } of records) {
      const below = records.filter((other) => (other.trust ?? 0) < (trust ?? 0)).length;
      const share = (100 * below) / records.length;
      expect(standing).toMatchObject({ among: 25, countedAt: '2026-11-20T06:00:00.000000Z' });
      expect(standing?.percentile).toBeLessThanOrEqual(share);
      expect(standing?.percentile).toBeGreaterThan(share - 2);
    }
  });

  it('is not claimed of one with little evidence or a warning, nor among few', async () => {
    const little = await makeScored(31.1, 'coding', 'little_evidence');
    const warned = await makeScored(64, 'coding', 'warning');
    const ofFew = await makeScored(90, 'data');
    await countStandings(database);

    expect([await standingOf(little), await standingOf(warned), await standingOf(ofFew)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('moves with the directory, and ends where a category shrinks', async () => {
    const best = await makeScored(95, 'coding');
    await countStandings(database);
    expect((await standingOf(best))?.percentile).toBeGreaterThanOrEqual(96);

    await database.query(
      "UPDATE listing_rank SET trust = 96 WHERE category = 'coding' AND subject_id <> $1",
      [best],
    );
    expect((await standingOf(best))?.percentile).toBeGreaterThanOrEqual(96);
    await countStandings(database);
    expect((await standingOf(best))?.percentile).toBe(0);

    await database.query("DELETE FROM listing WHERE category = 'coding' AND subject_id <> $1", [best]);
    await countStandings(database);
    expect(await standingOf(best)).toBeNull();
  });

  it('is counted by one process for all, writes nothing where nothing moved, and says so when it did', async () => {
    for (const trust of [20, 30, 50]) await makeScored(trust, 'data');
    await countStandings(database);
    const heard: string[] = [];
    const other = connect(test.url, { poolSize: 2, onChange: (change) => heard.push(change) });

    expect(await keepStandings(other)).toBe(0);
    await setClock(database, '2026-11-20T06:11:00Z');
    expect(await keepStandings(other)).toBe(0);
    expect(heard).toEqual([]);
    await makeScored(12, 'data');
    expect(await keepStandings(other)).toBe(0);
    const whileAnotherCounts = await inTransaction(database, async (connection) => {
      await lockStandings(connection);
      return countStandings(other);
    });
    expect(whileAnotherCounts).toBe(0);
    await setClock(database, '2026-11-20T06:22:00Z');
    expect(await keepStandings(other)).toBe(1);
    expect(heard).toEqual(['*']);

    await other.close();
  });
});
