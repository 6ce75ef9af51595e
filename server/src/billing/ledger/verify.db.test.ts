import { beforeAll, describe, expect, it } from 'vitest';
import { giveCredits, makeAccount, makeListing } from '../../../testing/factories.ts';
import { useLedger } from '../../../testing/ledger/ledger-harness.ts';
import { openPeriod } from './change-period.ts';
import { fail } from './fail.ts';
import { reapAccount } from './reap.ts';
import { settle } from './settle.ts';
import { type LedgerReport, verifyLedger } from './verify.ts';

const world = useLedger();
const { hold, score } = world;

/** Creates two accounts, each with several buckets and runs in every state, two of them with the same key. */
beforeAll(async () => {
  await makeListing(world.database);
  for (let made = 0; made < 2; made += 1) {
    const account = await makeAccount(world.database);
    const standing = { plan: 'free', overageEnabled: false, overageCap: null };
    await openPeriod(world.database, { ...account, ...standing }, [
      { source: 'free', unit: 'call', total: 1 },
    ]);
    await giveCredits(world.database, account.accountId, 100);
    await giveCredits(world.database, account.accountId, 100, 'purchased');
    await settle(world.database, await hold(account), 'agent', score());
    await fail(world.database, await hold(account, { idempotencyKey: 'again' }), 'upstream');
    await settle(world.database, await hold(account, { idempotencyKey: 'again' }), 'agent', score());
    await hold(account, { leaseMs: 0 });
    await reapAccount(world.database, account.accountId);
    await hold(account);
  }
});

/** Runs a statement that the table's triggers and checks would refuse, and returns the violations that verify finds. */
async function problemsAfter(statement: string, rowsAtOnce = 100): Promise<string[]> {
  const { bad } = await reportAfter(statement, rowsAtOnce);
  return [...new Set(bad.map(({ problem }) => problem))].sort();
}

async function reportAfter(statement: string, rowsAtOnce: number): Promise<LedgerReport> {
  const transaction = await world.database.sequelize.transaction();
  try {
    const options = { transaction, type: 'SELECT' as never };
    await world.database.sequelize.query("SET LOCAL session_replication_role = 'replica'", options);
    await world.database.sequelize.query(
      'ALTER TABLE ended_run DROP CONSTRAINT settled_before_lease',
      options,
    );
    await world.database.sequelize.query(statement, options);
    const query = (sql: string, bind: unknown[]) => world.database.sequelize.query(sql, { ...options, bind });
    const line = { ...world.database, transaction, query: query as never };
    return await verifyLedger(line, { rowsAtOnce });
  } finally {
    await transaction.rollback();
  }
}

const FIRST = (where: string) =>
  `(SELECT ledger_id FROM usage_run WHERE ${where} ORDER BY ledger_id LIMIT 1)`;
const UNEXPLAINED = 'bucket differs from the sum of its entries';
const HELD = 'held differs from the open runs';
const USED = 'used differs from the settled runs';
const BOTH = 'run that is both open and ended';
const TWO_LIVE = 'two live runs of one idempotency key';
const NOT_IN_ORDER = 'attempts of one idempotency key that are not consecutive';
const NO_SCORE = 'settled run without its score';
const NO_RUN = 'score of a call without its settled run';
const NO_EVIDENCE = 'score without its evidence';
const NO_BUCKET = 'run without its bucket';
const NO_KEY = 'run without the key of its account';
const NO_SESSION = 'run without the session of its account';
const NOT_A_STEP = 'charge that overlaps the previous charge of its bucket';
const SPENT = 'spending of a limited key differs from its runs';
/** Limits all keys, and stores what they have spent this month with so many further calls. */
const limitKeys = (furtherCalls: number) =>
  `UPDATE access_key SET monthly_calls = 9; INSERT INTO key_spending (key_id, month, calls, credits)
   SELECT coalesce(k.spends_as, k.id), month_of(r.created_at), count(*) + ${furtherCalls},
     coalesce(sum(amount) FILTER (WHERE source <> 'free'), 0)
   FROM usage_run r JOIN access_key k ON k.id = coalesce(r.key_id, r.attributed_key_id)
   WHERE state <> 'failed' GROUP BY 1, 2`;
/** Lets all keys of each account share their spending. */
const shareSpending = `UPDATE access_key k SET spends_as = first.id FROM (SELECT DISTINCT ON (r.account_id) r.account_id, k.id
    FROM usage_run r JOIN access_key k ON k.id = coalesce(r.key_id, r.attributed_key_id) ORDER BY r.account_id, k.id) first
  WHERE first.account_id = k.account_id AND first.id <> k.id`;
const OUTSIDE = "run reserved outside its bucket's period";

describe('verify', () => {
  it('counts what it checked, and reports nothing for a valid ledger', async () => {
    expect(await verifyLedger(world.database)).toEqual({ buckets: 6, runs: 10, entries: 24, bad: [] });
  });

  it.each([
    ['nothing of a limited key whose runs are counted', limitKeys(0), []],
    ['a call of a limited key that is counted twice', limitKeys(1), [SPENT]],
    [
      'a charge of a limited key that is not counted',
      `${limitKeys(0)}; UPDATE key_spending SET credits = credits - 1`,
      [SPENT],
    ],
    [
      'a month of a limited key without its count',
      `${limitKeys(0)}; INSERT INTO key_spending SELECT key_id, month - interval '2 months', 0, 0 FROM key_spending;
       UPDATE key_spending SET month = month - interval '1 year' WHERE month = month_of(ledger_now())`,
      [SPENT],
    ],
    [
      'nothing of a limited key that shares its spending with the key that it replaces',
      `${shareSpending}; ${limitKeys(0)}`,
      [],
    ],
    [
      'a call of a replaced key that is not counted',
      `${shareSpending}; ${limitKeys(0)}; UPDATE key_spending SET calls = calls - 1 WHERE calls > 1`,
      [SPENT],
    ],
    ['a higher total', 'UPDATE credit_bucket SET total = total + 1', [UNEXPLAINED]],
    ['more used', "UPDATE credit_bucket SET used = used + 1 WHERE source = 'purchased'", [UNEXPLAINED, USED]],
    ['more held', "UPDATE credit_bucket SET held = held + 1 WHERE source = 'purchased'", [UNEXPLAINED, HELD]],
    ['a bucket without its grant', "DELETE FROM bucket_entry WHERE kind = 'grant'", [UNEXPLAINED]],
    [
      'a hold of another amount',
      `UPDATE open_run SET amount = amount + 1 WHERE ledger_id = ${FIRST("state = 'reserved'")}`,
      [UNEXPLAINED, HELD],
    ],
    [
      'a hold without its run',
      `DELETE FROM open_run WHERE ledger_id = ${FIRST("state = 'reserved'")}`,
      [UNEXPLAINED, HELD],
    ],
    [
      'a charge of another amount',
      `UPDATE ended_run SET amount = amount - 1 WHERE state = 'settled' AND amount > 1`,
      [UNEXPLAINED, USED],
    ],
    [
      'a charge without its run',
      "DELETE FROM ended_run WHERE state = 'settled'",
      [UNEXPLAINED, USED, NO_RUN],
    ],
    [
      'a failure that charged',
      `UPDATE credit_bucket b SET used = used + 1 FROM ended_run e WHERE e.account_id = b.account_id AND e.bucket_id = b.id
         AND e.state = 'failed' AND b.used < b.total`,
      [UNEXPLAINED, USED],
    ],
    [
      'an open run that has an end',
      `INSERT INTO ended_run SELECT (jsonb_populate_record(NULL::ended_run, to_jsonb(o) ||
         '{"state": "failed", "fail_code": "upstream", "attempt": 2, "ended_at": "2026-01-01T00:00:00Z"}')).* FROM open_run o`,
      [BOTH, NOT_IN_ORDER],
    ],
    [
      'two live runs of one key',
      "UPDATE ended_run SET idempotency_key = 'same', attempt = 2 WHERE idempotency_key = 'again' AND attempt = 2; " +
        "UPDATE open_run SET idempotency_key = 'same'",
      [TWO_LIVE, NOT_IN_ORDER],
    ],
    [
      'a missing failed attempt',
      "DELETE FROM ended_run WHERE idempotency_key = 'again' AND attempt = 1",
      [NOT_IN_ORDER],
    ],
    [
      'a failed attempt after a charge',
      "UPDATE ended_run SET attempt = 3 - attempt + 10 WHERE idempotency_key = 'again'; " +
        "UPDATE ended_run SET attempt = attempt - 10 WHERE idempotency_key = 'again'",
      [NOT_IN_ORDER],
    ],
    [
      'a run of a missing bucket',
      `DELETE FROM credit_bucket WHERE source = 'gifted'`,
      [NO_BUCKET, 'entry without its bucket'],
    ],
    [
      "an end in another bucket than the run's",
      `UPDATE ended_run e SET bucket_id = (SELECT id FROM credit_bucket b WHERE b.account_id = e.account_id
         AND b.source = 'purchased') WHERE state = 'settled'`,
      [UNEXPLAINED, USED, OUTSIDE, NOT_A_STEP],
    ],
    [
      "a charge whose balance exceeds its bucket's used amount",
      `UPDATE ended_run SET used_after = used_after + 1 WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [NOT_A_STEP],
    ],
    [
      'a charge whose balance is below its amount',
      `UPDATE ended_run SET used_after = amount - 1 WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [NOT_A_STEP],
    ],
    [
      'a charge from an older server, stored without its balance',
      `UPDATE ended_run SET used_after = NULL WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [],
    ],
    [
      'an entry of another account',
      `INSERT INTO bucket_entry (account_id, bucket_id, kind) SELECT gen_random_uuid(), id, 'adjust' FROM credit_bucket`,
      ['entry without its bucket'],
    ],
    [
      'a run of a missing subject',
      'UPDATE open_run SET subject_id = gen_random_uuid()',
      ['run without its subject'],
    ],
    ['a run of a key that is gone', 'UPDATE ended_run SET key_id = gen_random_uuid()', [NO_KEY]],
    [
      "a run of another account's key",
      'UPDATE ended_run r SET key_id = k.id FROM access_key k WHERE k.account_id <> r.account_id',
      [NO_KEY],
    ],
    [
      'a run of a missing session',
      'UPDATE ended_run SET session_id = gen_random_uuid(), key_id = NULL',
      [NO_SESSION],
    ],
    [
      'a run attributed to a missing key',
      `UPDATE ended_run r SET session_id = k.session_id, key_id = NULL, attributed_key_id = gen_random_uuid()
       FROM access_key k WHERE k.id = r.key_id`,
      [NO_KEY],
    ],
    ['a run of another source', "UPDATE ended_run SET source = 'overage'", [OUTSIDE]],
    [
      'a run from before its bucket',
      "UPDATE credit_bucket SET valid_from = valid_from + interval '1 hour' WHERE source = 'gifted'",
      [OUTSIDE],
    ],
    [
      'a run opened a minute after its bucket ended',
      `UPDATE credit_bucket b SET valid_from = r.created_at - interval '1 day', valid_to = r.created_at - interval '1 minute' FROM usage_run r
       WHERE r.account_id = b.account_id AND r.bucket_id = b.id AND r.ledger_id = ${FIRST("state = 'reserved'")}`,
      [OUTSIDE],
    ],
    ['a charge without its score', 'UPDATE score_version SET ledger_id = NULL', [NO_SCORE]],
    [
      'a score of a missing call',
      `UPDATE score_version SET ledger_id = gen_random_uuid() WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [NO_SCORE, NO_RUN],
    ],
    [
      'a score of a call that failed',
      `UPDATE ended_run SET state = 'failed', fail_code = 'upstream', score_version = NULL
       WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [UNEXPLAINED, USED, NO_RUN],
    ],
    ['a score without what it is made of', 'DELETE FROM score_evidence', [NO_EVIDENCE]],
    [
      "a score that names another subject's evidence",
      `UPDATE score_version SET content = gen_random_uuid() WHERE ledger_id = ${FIRST("state = 'settled'")}`,
      [NO_EVIDENCE],
    ],
    [
      "a charge that has another's score",
      `UPDATE ended_run SET score_version = (SELECT max(version) FROM score) WHERE state = 'settled'`,
      [NO_SCORE, NO_RUN],
    ],
    [
      'a subject that shows an older score',
      `UPDATE subject s SET current_version = (SELECT min(version) FROM score c WHERE c.subject_id = s.id)
       WHERE current_version IS NOT NULL`,
      ['current version is not the newest score', 'listing shows a score that is not the current one'],
    ],
    [
      'a listing that shows an older score',
      `UPDATE listing_rank k SET score_version = (SELECT min(version) FROM score c WHERE c.subject_id = k.subject_id)
       WHERE score_version IS NOT NULL`,
      ['listing shows a score that is not the current one'],
    ],
    [
      'a listing that is missing from the ranking',
      'DELETE FROM listing_rank',
      ['listing shows a score that is not the current one'],
    ],
  ])('finds %s, in one stretch or in many', async (_what, statement, problems) => {
    expect(await problemsAfter(statement)).toEqual(problems.toSorted());
    expect(await problemsAfter(statement, 0)).toEqual(problems.toSorted());
  });

  it('stops after the current key range, and continues from there with the same result', async () => {
    const whole = await verifyLedger(world.database);
    const parts: LedgerReport[] = [];
    let from: string | undefined;
    do {
      const stop = new AbortController();
      const part = await verifyLedger(world.database, {
        ...(from && { from }),
        rowsAtOnce: 0,
        signal: stop.signal,
        onRows: () => stop.abort(),
      });
      parts.push(part);
      from = part.resumeFrom;
    } while (from);

    // Expects two ranges of accounts, one of subjects, and an empty range at the end of both.
    expect(parts).toHaveLength(5);
    const sum = (what: 'buckets' | 'runs' | 'entries') => parts.reduce((all, part) => all + part[what], 0);
    expect([sum('buckets'), sum('runs'), sum('entries')]).toEqual([whole.buckets, whole.runs, whole.entries]);
  });

  it('stops at the maximum number of violations, and continues with the unreported ones', async () => {
    const many = `INSERT INTO bucket_entry (account_id, bucket_id, kind) SELECT gen_random_uuid(), 1, 'adjust'
      FROM generate_series(1, 1100)`;
    const found = await reportAfter(many, 100);

    expect(found.bad).toHaveLength(1001);
    expect(found.resumeFrom).toBe('account/00000000-0000-0000-0000-000000000000');
  });

  it('allows a run that was reserved while its bucket was ending', async () => {
    const late = `UPDATE credit_bucket b SET valid_from = r.created_at - interval '1 day', valid_to = r.created_at - interval '59.999999 seconds' FROM usage_run r
      WHERE r.account_id = b.account_id AND r.bucket_id = b.id AND r.ledger_id = ${FIRST("state = 'reserved'")}`;

    expect(await problemsAfter(late)).toEqual([]);
  });
});
