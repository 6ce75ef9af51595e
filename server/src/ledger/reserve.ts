import { v7 as uuidv7 } from 'uuid';
import { batchBytes, batchJson, batchRows } from '../database/batch.condition.ts';
import { coalesce, onEach, UNDECIDED } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import type { ChargeSource } from './balance.ts';
import { ADMITTED, RUN_CALLER } from './caller.sql.ts';
import type { MeteredCall } from './look-up.ts';

export interface Reservation {
  accountId: string;
  ledgerId: string;
  bucketId: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
}

export interface ReserveInput extends MeteredCall {
  /** Whose call it is, as the look-up found. */
  accountId: string;
  /** The id of the key or session that the look-up found behind the credential. */
  callerId: string;
  /** Made by the process, so that after an unknown outcome the run can be looked for. */
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

// Buckets are locked by account and then in the order in which they pay; the cheaper call of an account comes first, since
// every bucket that can pay the dearer one can pay it too. Calls of one account and price take the same bucket, one after
// the other as far as it goes; the rest is left undecided. The unique index on live runs is the judge of the same key in
// another process; the last run is this statement's snapshot only.
const reserveSql = (admitted: string, runCaller: string) => `
WITH c AS MATERIALIZED (${batchRows(
  `caller uuid, scope text, key text, fingerprint bytea, price int, ledger_id uuid, operation text, subject_id uuid,
    lease_ms float8, named uuid`,
)}),
k AS MATERIALIZED (SELECT c.*, a.account_id, coalesce(p.attempt, 0) + 1 AS attempt
  FROM c CROSS JOIN LATERAL (${admitted}) a
  LEFT JOIN LATERAL (SELECT r.attempt, r.state, r.fingerprint FROM usage_run r
    WHERE r.account_id = a.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1) p ON true
  WHERE p.attempt IS NULL OR (p.state = 'failed' AND p.fingerprint = c.fingerprint)),
b0 AS MATERIALIZED (SELECT asked.account_id, asked.price, b.*
  FROM (SELECT DISTINCT account_id, price FROM k ORDER BY account_id, price) asked
  CROSS JOIN LATERAL (SELECT b.id, b.source, b.total - b.used - b.held AS room,
      CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END AS amount
    FROM credit_bucket b
    WHERE b.account_id = asked.account_id AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
      AND b.total - b.used - b.held >= CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END
    ORDER BY b.prio, b.valid_to, b.id LIMIT 1 FOR NO KEY UPDATE OF b) b),
pick AS MATERIALIZED (SELECT k.*, b0.id AS bucket_id, b0.source, b0.amount,
    sum(b0.amount) OVER (PARTITION BY b0.id ORDER BY k.n) <= b0.room AS fits
  FROM k JOIN b0 ON b0.account_id = k.account_id AND b0.price = k.price),
r AS (INSERT INTO usage_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key,
    fingerprint, attempt, operation, subject_id, source, price_credits, amount, state, lease_until)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt,
    pick.operation, pick.subject_id, pick.source, pick.price, pick.amount, 'reserved',
    ledger_now() + pick.lease_ms * interval '1 millisecond'
  FROM pick WHERE pick.fits ORDER BY pick.account_id, pick.key
  RETURNING account_id, ledger_id, bucket_id, amount),
u AS (UPDATE credit_bucket b SET held = b.held + s.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) s
  WHERE b.account_id = s.account_id AND b.id = s.bucket_id),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'hold', amount FROM r)
SELECT n, account_id, bucket_id, source, amount, attempt, fits FROM pick`;

const SQL = {
  key: reserveSql(ADMITTED.key, RUN_CALLER.key),
  session: reserveSql(ADMITTED.session, RUN_CALLER.session),
};

async function reserveAll(
  connection: Connection,
  kind: keyof typeof SQL,
  inputs: readonly ReserveInput[],
): Promise<(Reservation | null | typeof UNDECIDED)[]> {
  const rows = await connection.query<Row>(SQL[kind], [batchJson(inputs.map(columnsOf))]);
  const answers = inputs.map((): Reservation | null | typeof UNDECIDED => null);
  for (const { n, account_id, bucket_id, source, amount, attempt, fits } of rows) {
    const { ledgerId } = inputs[n] as ReserveInput;
    answers[n] = fits
      ? { accountId: account_id, ledgerId, bucketId: bucket_id, source, amount, attempt }
      : UNDECIDED;
  }
  return answers;
}

function columnsOf(input: ReserveInput) {
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

const reserving = (kind: keyof typeof SQL) =>
  onEach((connection) =>
    coalesce<ReserveInput, Reservation | null>({
      run: (inputs) => reserveAll(connection, kind, inputs),
      laneOf: ({ accountId }) => accountId,
      keyOf: ({ accountId, idempotencyKey }) => `${accountId} ${idempotencyKey}`,
    }),
  );

const RESERVING = { key: reserving('key'), session: reserving('session') };

/** A new receipt number: a UUIDv7, so that runs lie in the index in the order of their making. */
export function newLedgerId(): string {
  return uuidv7();
}

/**
 * S1: picks the first bucket that can pay, holds the amount and opens the run; the calls that wait go in one statement.
 * Null when nothing could be opened (balance, credential or last run changed since the look-up): look up again.
 * Rejects with SQLSTATE 23505 when another process won the race with the same key.
 */
export function reserve(connection: Connection, input: ReserveInput): Promise<Reservation | null> {
  return RESERVING[input.credential.kind](connection)(input);
}
