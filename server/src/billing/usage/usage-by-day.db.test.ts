import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { giveCredits, makeAccount, makeListing } from '../../../testing/factories.ts';
import { noteStatements, rowsReadOf } from '../../../testing/read-rows.ts';
import { ALL_USAGE, usageRanges } from './usage-by-day.ts';

const KEYS = 100;
const DAYS = 60;

let test: TestDatabase;
let accountId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  accountId = (await makeAccount(test.database)).accountId;
  await giveCredits(test.database, accountId, 1);
  const { subjectId } = await makeListing(test.database);
  await callEveryDayWithEveryKey(subjectId);
});
afterAll(() => test.close());

/** Inserts runs of every key on every day, without their buckets, which these tests do not read. */
async function callEveryDayWithEveryKey(subjectId: string): Promise<void> {
  await test.database.query(
    `INSERT INTO access_key (id, account_id, session_id, key_hash, last_four, name, scopes)
     SELECT gen_random_uuid(), account_id, session_id, sha256(n::text::bytea), last_four, name, scopes
     FROM access_key, generate_series(2, $2::int) n WHERE account_id = $1`,
    [accountId, KEYS],
  );
  await test.database.query(
    `INSERT INTO ended_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
       subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, score_version)
     SELECT k.account_id, gen_random_uuid(), k.id, b.id, gen_random_uuid()::text, sha256(''), 1, 'agent_score',
       $2, b.source, 1, 1, 'settled', at, at, at, at
     FROM access_key k JOIN credit_bucket b ON b.account_id = k.account_id AND b.source = 'gifted',
       generate_series(ledger_now() - make_interval(days => $3::int - 1), ledger_now(), interval '1 day') at
     WHERE k.account_id = $1`,
    [accountId, subjectId, DAYS],
  );
}

it('ranges of a busy account are short and contain every row once', async () => {
  const sizes: number[] = [];
  const rows = new Set<string>();
  for await (const stretch of usageRanges(test.database, accountId, ALL_USAGE, null)) {
    sizes.push(stretch.rows.length);
    for (const { day, keyId } of stretch.rows) rows.add(`${day} ${keyId}`);
  }

  expect(Math.max(...sizes)).toBeLessThanOrEqual(2000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(KEYS * DAYS);
  expect(rows.size).toBe(KEYS * DAYS);
});

it('a range of one day reads only the runs of that day', async () => {
  await test.database.query('ANALYZE');
  const { noting, sent } = noteStatements(test.database, 'usage_run');
  const first = await usageRanges(noting, accountId, ALL_USAGE, null).next();

  expect(first.value?.rows).toHaveLength(KEYS);
  const read = await Promise.all(sent.map((statement) => rowsReadOf('ended_run', test.database, statement)));
  expect(read.flatMap(({ kinds }) => kinds)).not.toContain('Seq Scan');
  // Reads the last run of each kind to find the day, and the runs of that day.
  expect(read.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThanOrEqual(KEYS + 12);
});
