import { v7 as uuidv7 } from 'uuid';
import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import { batchBytes, batchJson } from '../../platform/batching/batch-source.ts';
import { createBatcher, RETRY_IN_NEXT_BATCH } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type Balance, type BalanceRow, balanceColumns, balanceOf } from './account-buckets.ts';
import { AUTHORIZED_CALLER, RUN_CALLER } from './billing-context.fragment.ts';
import type { MeteredCall } from './billing-context.ts';
import { ledgerMutex, selectBuckets } from './ledger.sql.ts';

const reserveSql = (admitted: string, runCaller: string) => `
WITH ${selectBuckets(admitted)},
r AS (INSERT INTO open_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key,
    fingerprint, attempt, operation, subject_id, source, price_credits, amount, lease_until)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt,
    pick.operation, pick.subject_id, pick.paid_by, pick.price, pick.amount,
    ledger_now() + pick.lease_ms * interval '1 millisecond'
  FROM pick WHERE pick.fits ORDER BY pick.account_id, pick.key
  RETURNING account_id, bucket_id, amount),
u AS (UPDATE credit_bucket b SET held = b.held + s.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) s
  WHERE b.account_id = s.account_id AND b.id = s.bucket_id)
SELECT n, account_id, bucket_id, paid_by AS source, amount, attempt, fits FROM pick`;

/** SQL statement for each kind of caller: access key or session. */
export const RESERVE = {
  key: reserveSql(AUTHORIZED_CALLER.key, RUN_CALLER.key),
  session: reserveSql(AUTHORIZED_CALLER.session, RUN_CALLER.session),
};

/** Selects the first bucket in payment order that can pay the price, from one snapshot. */
const QUOTE = `SELECT b.source, ${balanceColumns()}, price.amount FROM credit_bucket b
  CROSS JOIN LATERAL (SELECT CASE b.unit WHEN 'call' THEN 1 ELSE $2::int END AS amount) price
  WHERE b.account_id = $1 AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
    AND b.total - b.used - b.held >= price.amount
  ORDER BY b.prio, b.valid_to, b.id LIMIT 1`;

export interface Reservation {
  accountId: string;
  ledgerId: string;
  bucketId: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
}

export interface ReserveInput extends MeteredCall {
  /** Account that the look-up found. */
  accountId: string;
  /** Id of the key or session that the look-up found for the credential. */
  callerId: string;
  /**
   * Id of the run and its receipt. This process chooses the id, so that it can find the run after an unknown outcome.
   */
  ledgerId: string;
  operation: string;
  subjectId: string;
  leaseMs: number;
}

interface Row {
  n: number;
  account_id: string;
  bucket_id: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
  fits: boolean;
}

async function reserveAll(
  connection: Connection,
  kind: keyof typeof RESERVE,
  inputs: readonly ReserveInput[],
): Promise<(Reservation | null | typeof RETRY_IN_NEXT_BATCH)[]> {
  const rows = await connection.query<Row>(RESERVE[kind], [batchJson(inputs.map(callColumnsOf))]);
  const answers = inputs.map((): Reservation | null | typeof RETRY_IN_NEXT_BATCH => null);
  for (const { n, account_id, bucket_id, source, amount, attempt, fits } of rows) {
    const { ledgerId } = inputs[n] as ReserveInput;
    answers[n] = fits
      ? { accountId: account_id, ledgerId, bucketId: bucket_id, source, amount, attempt }
      : RETRY_IN_NEXT_BATCH;
  }
  return answers;
}

/** Converts a call to a batch item of reserve and charge. */
export function callColumnsOf(input: ReserveInput) {
  return {
    caller: input.callerId,
    scope: input.scope,
    key: input.idempotencyKey,
    fingerprint: batchBytes(input.fingerprint),
    price: input.priceCredits,
    ledger_id: input.ledgerId,
    operation: input.operation,
    subject_id: input.subjectId,
    lease_ms: input.leaseMs,
    named: input.credential.kind === 'session' ? input.namedKeyId : null,
  };
}

const createReserveBatcher = (kind: keyof typeof RESERVE) =>
  perConnection((connection) =>
    createBatcher<ReserveInput, Reservation | null>({
      name: 'reserve',
      watch: connection.watch,
      run: (inputs) => reserveAll(connection, kind, inputs),
      partitionKeyOf: ({ accountId }) => accountId,
      deadlineOf: ({ until }) => until,
      limiter: statementLimiter(connection),
      mutex: ledgerMutex(connection),
      keyOf: ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    }),
  );

const RESERVE_BATCHERS = { key: createReserveBatcher('key'), session: createReserveBatcher('session') };

/**
 * Creates the id of a run and its receipt. It is a UUIDv7, so that ids are ordered by creation and new index entries
 * are neighbours.
 */
export function newLedgerId(): string {
  return uuidv7();
}

/**
 * Selects the first bucket that can pay, holds the amount and opens the run. Concurrent calls are batched. Returns null
 * if no run was opened because the balance, credential or last run changed since the look-up; the caller then repeats
 * the look-up. Rejects with SQLSTATE 23505 if another process uses the call's idempotency key at the same time and
 * comes first, and with 23514 if the access key's monthly limit is reached.
 */
export function reserve(connection: Connection, input: ReserveInput): Promise<Reservation | null> {
  return RESERVE_BATCHERS[input.credential.kind](connection)(input);
}

/**
 * Returns the source of the bucket that would pay this price now, and the balance of that bucket after the payment.
 * Buckets are tried in the order that `reserve` uses. Returns null if none can pay.
 */
export async function quote(
  connection: Connection,
  accountId: string,
  priceCredits: number,
): Promise<{ source: ChargeSource; balance: Balance } | null> {
  const [row] = await connection.query<BalanceRow & { source: ChargeSource; amount: number }>(QUOTE, [
    accountId,
    priceCredits,
  ]);
  return row ? { source: row.source, balance: balanceOf({ ...row, used: row.used + row.amount }) } : null;
}
