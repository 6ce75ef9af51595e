import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { credentialOf, giveCredits, makeAccount, makeListing } from '../../testing/factories.ts';
import type { Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
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

describe('the schema itself refuses', () => {
  /** What a change of a fresh open run and its bucket and entries comes to; nothing of it stays. */
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
  const copy = (columns: string, values: string) =>
    `INSERT INTO usage_run (account_id, ledger_id, key_id, bucket_id, fingerprint, operation, subject_id, source, price_credits,
       amount, lease_until, idempotency_key, attempt, state${columns}) SELECT account_id, gen_random_uuid(), key_id, bucket_id,
       fingerprint, operation, subject_id, source, price_credits, amount, lease_until, ${values} FROM usage_run WHERE ledger_id = :run`;
  const entry = (values: string) =>
    `INSERT INTO ledger_entry (account_id, bucket_id, ledger_id, kind) SELECT account_id, bucket_id, ${values} FROM usage_run WHERE ledger_id = :run`;
  const change = (set: string) => `UPDATE usage_run SET ${set} WHERE ledger_id = :run`;
  const bucket = (set: string) => `UPDATE credit_bucket SET ${set} WHERE account_id = :account`;
  const ENDED = 'ended_at = ledger_now()';

  it.each([
    ['a control: another key', copy('', "'another', 1, 'reserved'"), 'accepted'],
    ['a second live run of a key', copy('', "idempotency_key, 2, 'reserved'"), '23505'],
    [
      'a second run with the same attempt',
      copy(', ended_at, fail_code', "idempotency_key, 1, 'failed', ledger_now(), 'upstream'"),
      '23505',
    ],
    ['a second hold of a run', entry("ledger_id, 'hold'"), '23505'],
    ['a control: one end', entry("ledger_id, 'settle'"), 'accepted'],
    [
      'two ends of a run',
      `${entry("ledger_id, 'settle'")} UNION ALL SELECT account_id, bucket_id, ledger_id, 'expire' FROM usage_run WHERE ledger_id = :run`,
      '23505',
    ],
    ['a hold of no run', entry("NULL, 'hold'"), '23514'],
    ['a grant of a run', entry("ledger_id, 'grant'"), '23514'],
    [
      'an entry of another account',
      `INSERT INTO ledger_entry (account_id, bucket_id, kind) SELECT gen_random_uuid(), bucket_id, 'adjust' FROM usage_run WHERE ledger_id = :run`,
      '23503',
    ],
    ['a control: failed', change(`state = 'failed', fail_code = 'upstream', ${ENDED}`), 'accepted'],
    ['a failed run without a reason', change(`state = 'failed', ${ENDED}`), '23514'],
    ['a failed run without its end', change("state = 'failed', fail_code = 'upstream'"), '23514'],
    ['an open run with an end', change(ENDED), '23514'],
    ['an open run with a reason', change("fail_code = 'upstream'"), '23514'],
    ['a control: settled', change(`state = 'settled', score_version = ledger_now(), ${ENDED}`), 'accepted'],
    ['a settled run without a score', change(`state = 'settled', ${ENDED}`), '23514'],
    [
      'a settled run with a reason',
      change(`state = 'settled', score_version = ledger_now(), fail_code = 'x', ${ENDED}`),
      '23514',
    ],
    [
      'a settle after the lease',
      change(
        "state = 'settled', score_version = ledger_now(), ended_at = lease_until + interval '1 microsecond'",
      ),
      '23514',
    ],
    [
      'a run of key and session',
      change('session_id = (SELECT session_id FROM access_key k WHERE k.id = key_id)'),
      '23514',
    ],
    ['a run of nobody', change('key_id = NULL'), '23514'],
    ['a key that names another', change('attributed_key_id = key_id'), '23514'],
    ['a price of nothing', change('price_credits = 0'), '23514'],
    ['an amount of nothing', change('amount = 0'), '23514'],
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
    ['emptied entries', 'TRUNCATE ledger_entry CASCADE', 'P0001'],
    ['emptied receipts', 'TRUNCATE usage_run CASCADE', 'P0001'],
    ['lost scores', 'DELETE FROM score_version', 'P0001'],
    ['emptied scores', 'TRUNCATE score_version CASCADE', 'P0001'],
    ['lost evidence', 'DELETE FROM score_evidence', 'P0001'],
    ['emptied evidence', 'TRUNCATE score_evidence CASCADE', 'P0001'],
  ])('%s', async (_what, statement, outcome) => {
    expect(await outcomeOf(statement)).toBe(outcome);
  });

  const FAILED = change(`state = 'failed', fail_code = 'upstream', ${ENDED}`);
  it.each([
    ['a control: a failed one', copy('', "idempotency_key, 2, 'reserved'"), 'accepted'],
    ['a failed one that is not the last', copy('', "idempotency_key, 3, 'reserved'"), '23505'],
    [
      'another one, which is no other key’s either',
      copy('', "idempotency_key || '-', 2, 'reserved'"),
      '23505',
    ],
  ])('a second attempt is refused unless it follows %s', async (_what, statement, outcome) => {
    expect(await outcomeOf(FAILED, statement)).toBe(outcome);
  });

  it.each([
    ['a failed run that is open again', change("state = 'reserved', fail_code = NULL, ended_at = NULL")],
    [
      'a failed run that is charged',
      change("state = 'settled', fail_code = NULL, score_version = ledger_now()"),
    ],
  ])('%s', async (_what, statement) => {
    expect(await outcomeOf(FAILED, statement)).toBe('P0001');
  });

  it('a session with calls that is gone', async () => {
    const ofSession = change('session_id = k.session_id, key_id = NULL FROM access_key k').replace(
      'WHERE',
      'WHERE k.id = key_id AND',
    );
    const gone = `DELETE FROM session WHERE account_id = :account`;

    expect(await outcomeOf(ofSession, 'DELETE FROM access_key WHERE account_id = :account', gone)).toBe(
      '23503',
    );
  });

  it('keys and sessions without a call may go', async () => {
    const nobody = 'UPDATE access_key SET id = gen_random_uuid() WHERE account_id = :account';

    expect(await outcomeOf(nobody, 'DELETE FROM access_key WHERE account_id = :account')).toBe('accepted');
  });
});
