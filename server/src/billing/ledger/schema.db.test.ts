import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { credentialOf, giveCredits, makeAccount, makeListing } from '../../../testing/factories.ts';
import type { Database } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { newLedgerId, type Reservation, reserve } from './reserve.ts';

let test: TestDatabase;
let database: Database;
let subjectId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  ({ subjectId } = await makeListing(database));
});
afterAll(() => test.close());

async function openRun(): Promise<Reservation> {
  const { accountId, key } = await makeAccount(database);
  await giveCredits(database, accountId, 100);
  const run = await reserve(database, {
    credential: credentialOf(key),
    accountId,
    callerId: key.id,
    namedKeyId: null,
    scope: 'scores:read',
    idempotencyKey: randomUUID(),
    fingerprint: createHash('sha256').update('body').digest(),
    priceCredits: 10,
    ledgerId: newLedgerId(),
    operation: 'agent_score',
    subjectId,
    leaseMs: 60_000,
  });
  if (!run) throw new Error('nothing was reserved');
  return run;
}

describe('the schema rejects', () => {
  /** Applies a change to a fresh open run with its bucket and entries, returns the outcome and rolls back. */
  async function outcomeOf(...statements: string[]): Promise<string> {
    const run = await openRun();
    const undone = new Error('undone');
    return inTransaction(database, async (connection) => {
      for (const statement of statements)
        await connection.query(
          statement.replaceAll(':account', `'${run.accountId}'`).replaceAll(':run', `'${run.ledgerId}'`),
        );
      throw undone;
    }).catch((error) => (error === undone ? 'accepted' : (errorCode(error)?.code ?? String(error))));
  }
  const COLUMNS = `account_id, key_id, session_id, attributed_key_id, bucket_id, fingerprint, operation, subject_id, source,
    price_credits, amount, lease_until`;
  /** Builds a statement that inserts another open run, which differs from the first in its id and the given columns. */
  const copy = (columns: string, values: string) =>
    `INSERT INTO open_run (ledger_id, ${COLUMNS}, ${columns}) SELECT gen_random_uuid(), ${COLUMNS}, ${values} FROM usage_run
     WHERE ledger_id = :run`;
  const another = copy('idempotency_key, attempt', "'another', 1");
  /** Builds a statement that ends the first run with the given columns. */
  const end = (columns: string, values: string) =>
    `WITH o AS (DELETE FROM open_run WHERE ledger_id = :run RETURNING *)
     INSERT INTO ended_run (ledger_id, ${COLUMNS}, created_at, idempotency_key, attempt, ended_at, ${columns})
     SELECT ledger_id, ${COLUMNS}, created_at, idempotency_key, attempt, ${values} FROM o`;
  const FAILED = end('state, fail_code', "ledger_now(), 'failed', 'upstream'");
  const SETTLED = end('state, score_version', "ledger_now(), 'settled', ledger_now()");
  const retry = (attempt: number, key = 'idempotency_key') =>
    copy('idempotency_key, attempt', `${key}, ${attempt}`);
  /** Builds a statement that inserts a copy of the first open run with one column changed. */
  const odd = (column: string, value: string) =>
    `INSERT INTO open_run SELECT (jsonb_populate_record(NULL::open_run, to_jsonb(o) || jsonb_build_object('ledger_id',
       gen_random_uuid(), 'idempotency_key', 'odd') || jsonb_build_object('${column}', ${value}))).* FROM open_run o
     WHERE ledger_id = :run`;
  const bucketEntry = (kind: string) =>
    `INSERT INTO bucket_entry (account_id, bucket_id, kind) SELECT account_id, bucket_id, ${kind} FROM usage_run WHERE ledger_id = :run`;
  const bucket = (set: string) => `UPDATE credit_bucket SET ${set} WHERE account_id = :account`;

  it.each([
    ['a control: another key', another, 'accepted'],
    ['a second open run of a key', retry(1), '23505'],
    ['a second open run of a key, whatever its number', retry(2), '23505'],
    ['an entry that is neither given nor adjusted', bucketEntry("'hold'"), '23514'],
    ['a control: an entry of its account', bucketEntry("'adjust'"), 'accepted'],
    [
      'an entry of another account',
      `INSERT INTO bucket_entry (account_id, bucket_id, kind) SELECT gen_random_uuid(), bucket_id, 'adjust' FROM usage_run WHERE ledger_id = :run`,
      '23503',
    ],
    ['a control: failed', FAILED, 'accepted'],
    ['a failed run without a reason', end('state', "ledger_now(), 'failed'"), '23514'],
    ['a failed run without its end', end('state, fail_code', "NULL, 'failed', 'upstream'"), '23514'],
    [
      'a failed run with a score',
      end('state, fail_code, score_version', "ledger_now(), 'failed', 'upstream', ledger_now()"),
      '23514',
    ],
    ['an ended run that is still open', end('state', "ledger_now(), 'reserved'"), '23514'],
    ['an ended run in no state', end('fail_code', "ledger_now(), 'upstream'"), '23502'],
    ['a control: settled', SETTLED, 'accepted'],
    ['a settled run without a score', end('state', "ledger_now(), 'settled'"), '23514'],
    [
      'a settled run with a failure code',
      end('state, score_version, fail_code', "ledger_now(), 'settled', ledger_now(), 'x'"),
      '23514',
    ],
    [
      'a settle after the lease',
      end('state, score_version', "lease_until + interval '1 microsecond', 'settled', ledger_now()"),
      '23514',
    ],
    ['a control: like the first', odd('attempt', '1'), 'accepted'],
    [
      'a run of both a key and a session',
      odd('session_id', '(SELECT session_id FROM access_key k WHERE k.id = key_id)'),
      '23514',
    ],
    ['a run of nobody', odd('key_id', 'NULL::text'), '23514'],
    ['a key that names another', odd('attributed_key_id', 'key_id'), '23514'],
    ['a key of no length', odd('idempotency_key', "''::text"), '23514'],
    ['half a fingerprint', odd('fingerprint', "'\\\\x00'::text"), '23514'],
    ['a price of nothing', odd('price_credits', '0'), '23514'],
    ['an amount of nothing', odd('amount', '0'), '23514'],
    ['an open run that changes', 'UPDATE open_run SET amount = 1 WHERE ledger_id = :run', 'P0001'],
    ['a control: all of it', bucket('used = total - held'), 'accepted'],
    ['more than all of it', bucket('used = total - held + 1'), '23514'],
    ['less than nothing used', bucket('used = -1'), '23514'],
    ['less than nothing held', bucket('held = -1'), '23514'],
    ['credits that are calls', bucket("unit = 'call'"), '23514'],
    ['a grant by the month', bucket("period_kind = 'month'"), '23514'],
    ['a period that ends before it begins', bucket('valid_to = valid_from'), '23514'],
    ['a bucket that is gone', 'DELETE FROM credit_bucket WHERE account_id = :account', 'P0001'],
    ['emptied buckets', 'TRUNCATE credit_bucket CASCADE', 'P0001'],
    ['a subject that is gone', 'DELETE FROM subject', 'P0001'],
    ['a key with calls that is gone', 'DELETE FROM access_key WHERE account_id = :account', '23503'],
    ['emptied keys', 'TRUNCATE access_key CASCADE', 'P0001'],
    ['emptied sessions', 'TRUNCATE session CASCADE', 'P0001'],
    ['emptied entries', 'TRUNCATE bucket_entry CASCADE', 'P0001'],
    ['emptied holds', 'TRUNCATE open_run CASCADE', 'P0001'],
    ['emptied receipts', 'TRUNCATE ended_run CASCADE', 'P0001'],
    ['lost scores', 'DELETE FROM score_version', 'P0001'],
    ['emptied scores', 'TRUNCATE score_version CASCADE', 'P0001'],
    ['lost evidence', 'DELETE FROM score_evidence', 'P0001'],
    ['emptied evidence', 'TRUNCATE score_evidence CASCADE', 'P0001'],
  ])('%s', async (_what, statement, outcome) => {
    expect(await outcomeOf(statement)).toBe(outcome);
  });

  it.each([
    ['a control: a failed one', FAILED, retry(2), 'accepted'],
    ['a failed one that is not the last', FAILED, retry(3), '23505'],
    ['a failed one, and begins anew', FAILED, retry(1), '23505'],
    ['another one, which is no other key’s either', FAILED, retry(2, "idempotency_key || '-'"), '23505'],
    ['a charged one', SETTLED, retry(2), '23505'],
    ['a charged one, which is not opened again', SETTLED, retry(1), '23505'],
  ])('a second attempt is refused unless it follows %s', async (_what, first, second, outcome) => {
    expect(await outcomeOf(first, second)).toBe(outcome);
  });

  it.each([
    ['a failed run that is open again', FAILED, "state = 'reserved', fail_code = NULL, ended_at = NULL"],
    [
      'a failed run that is charged',
      FAILED,
      "state = 'settled', fail_code = NULL, score_version = ledger_now()",
    ],
    ['a receipt that changes', SETTLED, 'amount = amount + 1'],
  ])('%s', async (_what, ended, set) => {
    expect(await outcomeOf(ended, `UPDATE ended_run SET ${set} WHERE ledger_id = :run`)).toBe('P0001');
  });

  it('a second end of one run', async () => {
    const again = `INSERT INTO ended_run SELECT (jsonb_populate_record(NULL::ended_run, to_jsonb(e) || '{"attempt": 2}')).*
      FROM ended_run e WHERE ledger_id = :run`;

    expect(await outcomeOf(SETTLED, again)).toBe('23505');
  });

  it('deleting a session with calls', async () => {
    const ofSession = `${odd('key_id', 'NULL::text')}`.replace(
      "jsonb_build_object('key_id', NULL::text)",
      "jsonb_build_object('key_id', NULL::text, 'session_id', (SELECT session_id FROM access_key k WHERE k.id = key_id))",
    );
    const unkeyed = 'DELETE FROM open_run WHERE ledger_id = :run';
    const gone = `DELETE FROM session WHERE account_id = :account`;

    expect(
      await outcomeOf(ofSession, unkeyed, 'DELETE FROM access_key WHERE account_id = :account', gone),
    ).toBe('23503');
  });

  it('allows deleting keys and sessions without calls', async () => {
    const nobody = 'UPDATE access_key SET id = gen_random_uuid() WHERE account_id = :account';

    expect(await outcomeOf(nobody, 'DELETE FROM access_key WHERE account_id = :account')).toBe('accepted');
  });
});
