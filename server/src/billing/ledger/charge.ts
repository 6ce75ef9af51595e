import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import { batchJson } from '../../platform/batching/batch-source.ts';
import { BatchNotSentError, createBatcher, RETRY_IN_NEXT_BATCH } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AcceptedScore } from '../../scoring/scores/accept-score.ts';
import { SCORE_COLUMNS } from '../../scoring/scores/score-evidence.fragment.ts';
import { balanceColumns } from './account-buckets.ts';
import { AUTHORIZED_CALLER, RUN_CALLER } from './billing-context.fragment.ts';
import { ledgerMutex, RUN_COLUMNS, selectBuckets } from './ledger.sql.ts';
import {
  RECORDED_SCORES,
  SCORED_COLUMNS,
  type SentScore,
  SIGNED_COLUMNS,
  sendScores,
} from './recorded-scores.ts';
import { callColumnsOf, type ReserveInput } from './reserve.ts';
import { type Settled, type SettledRow, settledOf } from './settle.ts';

/**
 * Holds and settles runs in one statement. Lock order: buckets, subjects, the subjects' ranking rows. No open run is
 * locked, because there is none. The trigger ended_run_one_live rejects the run if another process has meanwhile opened
 * a run with the same idempotency key. The time of a run is read after all locks are acquired; the hold and the
 * settlement of the run have this same time.
 */
const chargeSql = (admitted: string, runCaller: string) => `
WITH ${selectBuckets(admitted, `, ${SCORE_COLUMNS}, ${SIGNED_COLUMNS}`, SCORED_COLUMNS)},
o AS NOT MATERIALIZED (SELECT * FROM pick WHERE fits),
${RECORDED_SCORES},
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version, used_after,
    signature_sha256)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt, pick.operation,
    pick.subject_id, pick.paid_by, pick.price, pick.amount, pick.at + pick.lease_ms * interval '1 millisecond', pick.at,
    'settled', pick.at, pick.version, pick.used_after, pick.signature_sha256
  FROM m pick ORDER BY pick.account_id, pick.key),
b AS (UPDATE credit_bucket b SET used = b.used + paid.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) paid
  WHERE b.account_id = paid.account_id AND b.id = paid.bucket_id RETURNING b.*)
SELECT paid.n, paid.fits, paid.paid_by AS source, ${balanceColumns('paid.used_after')}, utc_text(paid.version) AS score_version
FROM (SELECT n, fits, paid_by, account_id, bucket_id, version, used_after FROM m
  UNION ALL SELECT n, fits, paid_by, NULL, NULL, NULL, NULL FROM pick WHERE NOT fits) paid
LEFT JOIN b ON b.id = paid.bucket_id AND b.account_id = paid.account_id`;

/** SQL statement for each kind of caller: access key or session. */
const CHARGE = {
  key: chargeSql(AUTHORIZED_CALLER.key, RUN_CALLER.key),
  session: chargeSql(AUTHORIZED_CALLER.session, RUN_CALLER.session),
};

/** A run that was held and settled in one statement. */
export interface Charged extends Settled {
  source: ChargeSource;
}

export interface ChargeInput extends ReserveInput {
  /** Score to charge for; belongs to the subject `subjectId`. */
  score: AcceptedScore;
  /** Returns the score with its signature. Without it, the score stays unsigned. */
  sign?(): Promise<AcceptedScore>;
  /**
   * Called when the call is taken into a batch, before its signature is awaited. From then on the charge may be sent at
   * any time, so only its result or the stored run shows its outcome.
   */
  onSent(): void;
}

type Answer = Charged | null | typeof RETRY_IN_NEXT_BATCH;

async function chargeAll(
  connection: Connection,
  kind: keyof typeof CHARGE,
  inputs: readonly ChargeInput[],
): Promise<Answer[]> {
  for (const { onSent } of inputs) onSent();
  const scores = await signAll(inputs);
  return sendScores(
    connection,
    scores,
    (rows) => send(connection, kind, inputs, rows),
    (answer) => answer !== null && answer !== RETRY_IN_NEXT_BATCH,
  );
}

/**
 * Awaits the signatures of a whole batch. If each call awaited its own signature before it joined a batch, the calls of
 * one look-up would join one after another, in several small batches. Without this function, `signed-calls.db.test.ts`
 * fails.
 */
async function signAll(inputs: readonly ChargeInput[]): Promise<AcceptedScore[]> {
  try {
    return await Promise.all(inputs.map(({ score, sign }) => sign?.() ?? score));
  } catch (cause) {
    throw new BatchNotSentError('a score could not be signed', { cause });
  }
}

async function send(
  connection: Connection,
  kind: keyof typeof CHARGE,
  inputs: readonly ChargeInput[],
  scores: readonly SentScore[],
): Promise<Answer[]> {
  const items = inputs.map((input, n) =>
    Object.assign(callColumnsOf(input), { subject_type: input.score.subjectType }, scores[n]),
  );
  const rows = await connection.query<Row>(CHARGE[kind], [batchJson(items)]);
  const answers = inputs.map((): Answer => null);
  for (const row of rows) answers[row.n] = answerOf(row);
  return answers;
}

interface Row extends SettledRow {
  n: number;
  source: ChargeSource;
  fits: boolean;
}

function answerOf(row: Row): Answer {
  return row.fits ? Object.assign(settledOf(row), { source: row.source }) : RETRY_IN_NEXT_BATCH;
}

const createChargeBatcher = (kind: keyof typeof CHARGE) =>
  perConnection((connection) =>
    createBatcher<ChargeInput, Charged | null>({
      name: 'charge',
      watch: connection.watch,
      run: (inputs) => chargeAll(connection, kind, inputs),
      partitionKeyOf: ({ accountId }) => accountId,
      deadlineOf: ({ until }) => until,
      limiter: statementLimiter(connection),
      mutex: ledgerMutex(connection),
      keyOf: ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    }),
  );

const CHARGE_BATCHERS = { key: createChargeBatcher('key'), session: createChargeBatcher('session') };

/**
 * Reserves and settles in one step when the score is already known. Selects the first bucket that can pay, charges it,
 * and stores the score and the settled run. Concurrent calls are batched. Returns null if nothing was charged because
 * the balance, credential or last run changed since the look-up; the caller then repeats the look-up. Rejects with
 * SQLSTATE 23505 if another process comes first with the call's idempotency key or with the score's version, and with
 * 23514 if the access key's monthly limit is reached or the subject no longer exists.
 */
export function charge(connection: Connection, input: ChargeInput): Promise<Charged | null> {
  return CHARGE_BATCHERS[input.credential.kind](connection)(input);
}
