import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import { createBatcher } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AcceptedScore } from '../../scoring/scores/accept-score.ts';
import { columnsOf, SCORE_COLUMNS } from '../../scoring/scores/score-evidence.fragment.ts';
import { type Balance, type BalanceRow, balanceColumns, balanceOf } from './account-buckets.ts';
import { isOpenRunOf, LOCKED_BUCKETS, ledgerMutex, RUN_COLUMNS, runColumnsOf } from './ledger.sql.ts';
import {
  AFTER_EARLIER_RUNS,
  RECORDED_SCORES,
  SCORED_COLUMNS,
  type SentScore,
  SIGNED_COLUMNS,
  sendScores,
} from './recorded-scores.ts';
import type { Reservation } from './reserve.ts';

/**
 * Moves runs from `open_run` to `ended_run` as settled, charges their buckets and stores their scores. Either every
 * deleted run is inserted, or nothing changes. Lock order: buckets (account, prio, valid_to, id), runs, subjects, the
 * subjects' ranking rows. A run ends later than it began, even if the clock steps back, because equal times mark runs
 * that began and ended in one statement. The statement may check the lease before it waits for a lock, so the lease can
 * expire during the wait. The CHECK settled_before_lease sees the final row and rejects such a settle (23514).
 */
export const SETTLE = `
WITH c AS MATERIALIZED (${batchRows(`account_id uuid, bucket_id bigint, ledger_id uuid, ${SCORE_COLUMNS}, ${SIGNED_COLUMNS}`)}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
o AS (DELETE FROM open_run r USING b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
    JOIN subject ON subject.type = c.subject_type
  WHERE ${isOpenRunOf('c')} AND subject.id = r.subject_id AND r.lease_until > ledger_now()
  RETURNING c.n, b0.used_before, ${columnsOf('c', SCORED_COLUMNS)}, ${runColumnsOf('r')}),
${RECORDED_SCORES},
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version, used_after, signature_sha256)
  SELECT ${RUN_COLUMNS}, 'settled', greatest(ledger_now() + ${AFTER_EARLIER_RUNS}, created_at + interval '1 microsecond'),
    version, used_after, signature_sha256 FROM m),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount, used = b.used + ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id RETURNING b.*)
SELECT m.n, ${balanceColumns('m.used_after')}, utc_text(m.version) AS score_version
FROM m JOIN b ON b.account_id = m.account_id AND b.id = m.bucket_id`;

export interface Settled {
  /** The bucket's balance right after this charge. */
  balance: Balance;
  /** Version of the stored score: a UTC time with six decimals. */
  scoreVersion: string;
}

export interface SettledRow extends BalanceRow {
  score_version: string;
}

/** Converts a result row of the statements that charge (`SETTLE` and `CHARGE`). */
export function settledOf(row: SettledRow): Settled {
  return { balance: balanceOf(row), scoreVersion: row.score_version };
}

interface SettleItem {
  run: Reservation;
  subjectType: string;
  score: AcceptedScore;
}

function settleAll(connection: Connection, all: readonly SettleItem[]): Promise<(Settled | null)[]> {
  const scores = all.map(({ score }) => score);
  return sendScores(
    connection,
    scores,
    (rows) => send(connection, all, rows),
    (settled) => settled !== null,
  );
}

async function send(
  connection: Connection,
  all: readonly SettleItem[],
  scores: readonly SentScore[],
): Promise<(Settled | null)[]> {
  const items = all.map(({ run, subjectType }, n) => {
    const { accountId: account_id, bucketId: bucket_id, ledgerId: ledger_id } = run;
    return Object.assign({ account_id, bucket_id, ledger_id, subject_type: subjectType }, scores[n]);
  });
  const rows = await connection.query<SettledRow & { n: number }>(SETTLE, [batchJson(items)]);
  const answers = all.map((): Settled | null => null);
  for (const row of rows) answers[row.n] = settledOf(row);
  return answers;
}

const settleBatcher = perConnection((connection) =>
  createBatcher<SettleItem, Settled | null>({
    name: 'settle',
    watch: connection.watch,
    run: (all) => settleAll(connection, all),
    partitionKeyOf: ({ run }) => run.accountId,
    keyOf: ({ run }) => run.ledgerId,
    limiter: statementLimiter(connection),
    mutex: ledgerMutex(connection),
    isTerminal: true,
  }),
);

/**
 * Charges the held amount and stores the score, which becomes the subject's current one unless a later version exists.
 * Concurrent calls of this function are batched and charged in batch order. Each result has the bucket's balance right
 * after the charge of its own run. Returns null if the run is no longer open or its lease has expired. Rejects with
 * 23514 on settled_before_lease if the lease expires while the statement waits for a lock.
 */
export function settle(
  connection: Connection,
  run: Reservation,
  subjectType: string,
  score: AcceptedScore,
): Promise<Settled | null> {
  return settleBatcher(connection)({ run, subjectType, score });
}
