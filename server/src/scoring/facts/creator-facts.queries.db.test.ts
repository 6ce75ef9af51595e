import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import {
  type MadeListing,
  makeArtifact,
  makeCreator,
  makeListing,
  makeScore,
} from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { CreatorFacts } from '../fact-types.ts';
import { CREATOR_FACTS } from './creator-facts.queries.ts';

const NOW = '2026-11-21T12:00:00.123Z';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
  await setClock(database, NOW);
});
afterAll(() => test?.close());

async function factsOf(id: string): Promise<CreatorFacts> {
  const loaded = (await CREATOR_FACTS.load(database, [id])).get(id);
  if (!loaded) throw new Error(`no facts of ${id}`);
  return loaded.facts;
}

/** Creates an account that has signed in, with its creator. */
async function makeSignedIn(): Promise<{ id: string; accountId: string }> {
  const { accountId } = await makeAccount(database);
  await database.query('UPDATE creator SET account_id = NULL WHERE account_id = $1', [accountId]);
  const { id } = await makeCreator(database, { accountId });
  return { id, accountId };
}

async function prove(
  accountId: string,
  kind: string,
  { checkedAt = '2026-11-10T00:00:00Z', createdAt = null as string | null } = {},
): Promise<void> {
  await database.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, checked_at, check_due_at,
       host_account_id, host_account_created_at)
     VALUES (gen_random_uuid(), $1, $2, 'host.example', $3, $4, 'code', $4, $4, $3, $5)`,
    [accountId, kind, randomUUID(), checkedAt, createdAt],
  );
}

describe('facts of a creator', () => {
  it('are null where nothing is known, not zero', async () => {
    const { id, handle } = await makeCreator(database);

    const loaded = (await CREATOR_FACTS.load(database, [id, randomUUID()])).get(id);

    expect(loaded).toEqual({
      subject: { id, type: 'creator', name: handle, repository: null },
      facts: { accounts: null, accountCreatedAt: null, portfolio: null, graphEquity: null },
      now: new Date(NOW),
    });
  });

  it('hold the accounts proved by their own account here, while the proof is no older than 60 days', async () => {
    const { id, accountId } = await makeSignedIn();
    const other = await makeSignedIn();
    await prove(accountId, 'repo_host', { createdAt: '2019-05-01T00:00:00Z' });
    await prove(accountId, 'node_packages', { checkedAt: '2026-11-01T00:00:00Z' });
    await prove(accountId, 'python_packages', { checkedAt: '2026-09-01T00:00:00Z' });
    await prove(other.accountId, 'professional_network');

    const { accounts, accountCreatedAt } = await factsOf(id);

    expect(accounts).toEqual({
      value: { repoHost: true, nodePackages: true, pythonPackages: false, professionalNetwork: false },
      observedAt: '2026-11-01T00:00:00.000000Z',
      source: 'linked_accounts',
    });
    expect(accountCreatedAt).toEqual({
      value: '2019-05-01T00:00:00.000000Z',
      observedAt: '2026-11-10T00:00:00.000000Z',
      source: 'linked_accounts',
    });
  });

  it('sum up the scores of their own listings apart from lineage, each repository once', async () => {
    const creator = await makeCreator(database);
    const one = await makeListing(database, { creator });
    const two = await makeListing(database, { creator });
    await makeListing(database, { creator });
    const inside = await makeArtifact(database, one);
    const foreign = await makeListing(database);
    await makeScore(database, one, { trust: 90, confidence: 90, ownTrust: 80, ownConfidence: 50 });
    const later = '2026-10-01T00:00:00.000000Z';
    await makeScore(database, two, { trust: 40, confidence: 20, version: later });
    await makeScore(database, { id: inside }, { trust: 99, confidence: 99 });
    await makeScore(database, foreign, { trust: 99, confidence: 99 });

    const { portfolio } = await factsOf(creator.id);

    expect(portfolio).toEqual({
      listings: 2,
      confidence: 0.7,
      weightedTrust: 0.48,
      observedAt: '2026-08-01T10:20:30.123456Z',
    });
  });

  it('look up the score of each listing by index, even without table statistics', async () => {
    const made: MadeListing[] = [];
    while (made.length < 3) made.push(await makeListing(database));
    for (const listing of made) await makeScore(database, listing, { trust: 50, confidence: 50 });

    const read = await inTransaction(database, async (connection) => {
      // Sets statistics as they are after an import of thousands of rows without ANALYZE.
      await connection.query(
        "UPDATE pg_class SET relpages = 1, reltuples = 900 WHERE oid = 'public.listing'::regclass",
      );
      await CREATOR_FACTS.load(
        connection,
        made.map(({ creator }) => creator.id),
      );
      return connection.query(
        "SELECT relname AS name, seq_tup_read::int AS rows FROM pg_stat_xact_user_tables WHERE relname LIKE 'score_%' AND seq_scan > 0",
      );
    });

    expect(read).toEqual([]);
  });

  it('contain their graph equity, dated by its computation', async () => {
    const { id } = await makeCreator(database);
    await database.query(
      "INSERT INTO creator_equity (creator_id, equity, computed_at) VALUES ($1, 0.25, '2026-11-20T00:00:00Z')",
      [id],
    );

    expect((await factsOf(id)).graphEquity).toEqual({
      value: 0.25,
      observedAt: '2026-11-20T00:00:00.000000Z',
      source: 'registry',
    });
  });

  it('read the age of the account that an import states where none is proved', async () => {
    const { id } = await makeCreator(database);
    await database.query('UPDATE creator SET imported = $2 WHERE subject_id = $1', [
      id,
      JSON.stringify({ accountCreatedAt: '2015-03-01' }),
    ]);

    expect((await factsOf(id)).accountCreatedAt).toMatchObject({
      value: '2015-03-01T00:00:00.000Z',
      source: 'registry',
    });
  });

  it('are not given of a creator merged into another: their work is that one’s', async () => {
    const into = await makeCreator(database);
    const { id } = await makeCreator(database);
    await database.query('UPDATE creator SET merged_into = $2 WHERE subject_id = $1', [id, into.id]);

    expect((await CREATOR_FACTS.load(database, [id, into.id])).has(id)).toBe(false);
  });
});
