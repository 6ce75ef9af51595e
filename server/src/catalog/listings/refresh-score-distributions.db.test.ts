import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { loadAgentRecords } from '../../directory/agents/agent-record.queries.ts';
import type { Database } from '../../platform/database/connect.ts';
import { connect } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  computeScoreDistributions,
  lockScoreDistributions,
  refreshScoreDistributions,
} from './refresh-score-distributions.ts';

let test: TestDatabase;
let database: Database;
/** Most listings have the same trust, because nothing is known about them. */
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

describe('the standing of a listing in its category', () => {
  it('is the percentage of listings with less trust, and below 100', async () => {
    await computeScoreDistributions(database);

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

  it('is null with little evidence, with a warning, or in a small category', async () => {
    const little = await makeScored(31.1, 'coding', 'little_evidence');
    const warned = await makeScored(64, 'coding', 'warning');
    const ofFew = await makeScored(90, 'data');
    await computeScoreDistributions(database);

    expect([await standingOf(little), await standingOf(warned), await standingOf(ofFew)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('follows changes, and ends when a category shrinks', async () => {
    const best = await makeScored(95, 'coding');
    await computeScoreDistributions(database);
    expect((await standingOf(best))?.percentile).toBeGreaterThanOrEqual(96);

    await database.query(
      "UPDATE listing_rank SET trust = 96 WHERE category = 'coding' AND subject_id <> $1",
      [best],
    );
    expect((await standingOf(best))?.percentile).toBeGreaterThanOrEqual(96);
    await computeScoreDistributions(database);
    expect((await standingOf(best))?.percentile).toBe(0);

    await database.query("DELETE FROM listing WHERE category = 'coding' AND subject_id <> $1", [best]);
    await computeScoreDistributions(database);
    expect(await standingOf(best)).toBeNull();
  });

  it('is computed by one process at a time, which writes and reports only changes', async () => {
    for (const trust of [20, 30, 50]) await makeScored(trust, 'data');
    await computeScoreDistributions(database);
    const heard: string[] = [];
    const other = connect(test.url, { poolSize: 2, onChange: (change) => heard.push(change) });

    expect(await refreshScoreDistributions(other)).toBe(0);
    await setClock(database, '2026-11-20T06:11:00Z');
    expect(await refreshScoreDistributions(other)).toBe(0);
    expect(heard).toEqual([]);
    await makeScored(12, 'data');
    expect(await refreshScoreDistributions(other)).toBe(0);
    const whileAnotherCounts = await inTransaction(database, async (connection) => {
      await lockScoreDistributions(connection);
      return computeScoreDistributions(other);
    });
    expect(whileAnotherCounts).toBe(0);
    await setClock(database, '2026-11-20T06:22:00Z');
    expect(await refreshScoreDistributions(other)).toBe(1);
    expect(heard).toEqual(['*']);

    await other.close();
  });
});
