import { v7 as uuidv7 } from 'uuid';
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
  /** The id of the key or session that the look-up found behind the credential. */
  callerId: string;
  /** Made by the process, so that after an unknown outcome the run can be looked for. */
  ledgerId: string;
  operation: string;
  subjectId: string;
  leaseMs: number;
}

interface Row {
  account_id: string;
  ledger_id: string;
  bucket_id: number;
  source: ChargeSource;
  amount: number;
  attempt: number;
}

// The unique index on live runs is the judge; the last run is this statement's snapshot only.
const reserveSql = (admitted: string, runCaller: string) => `
WITH k AS (SELECT a.account_id, p.attempt, p.state, p.fingerprint FROM (${admitted}) a
  LEFT JOIN LATERAL (SELECT r.attempt, r.state, r.fingerprint FROM usage_run r
    WHERE r.account_id = a.account_id AND r.idempotency_key = $3 ORDER BY r.attempt DESC LIMIT 1) p ON true),
pick AS (SELECT b.account_id, b.id, b.source, CASE b.unit WHEN 'call' THEN 1 ELSE $5::int END AS amount,
    coalesce(k.attempt, 0) + 1 AS attempt
  FROM credit_bucket b JOIN k ON b.account_id = k.account_id
  WHERE b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
    AND b.total - b.used - b.held >= CASE b.unit WHEN 'call' THEN 1 ELSE $5::int END
    AND (k.attempt IS NULL OR (k.state = 'failed' AND k.fingerprint = $4))
  ORDER BY b.prio, b.valid_to, b.id LIMIT 1 FOR NO KEY UPDATE OF b),
u AS (UPDATE credit_bucket b SET held = b.held + pick.amount FROM pick
  WHERE b.account_id = pick.account_id AND b.id = pick.id RETURNING b.id),
r AS (INSERT INTO usage_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key,
    fingerprint, attempt, operation, subject_id, source, price_credits, amount, state, lease_until)
  SELECT pick.account_id, $6, ${runCaller}, pick.id, $3, $4, pick.attempt, $7, $8, pick.source, $5, pick.amount, 'reserved',
    ledger_now() + $9 * interval '1 millisecond'
  FROM pick JOIN u ON u.id = pick.id
  RETURNING account_id, ledger_id, bucket_id, source, amount, attempt),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'hold', amount FROM r)
SELECT account_id, ledger_id, bucket_id, source, amount, attempt FROM r`;

const SQL = {
  key: reserveSql(ADMITTED.key, RUN_CALLER.key),
  session: reserveSql(ADMITTED.session, RUN_CALLER.session),
};

/** A new receipt number: a UUIDv7, so that runs lie in the index in the order of their making. */
export function newLedgerId(): string {
  return uuidv7();
}

/**
 * S1: picks the first bucket that can pay, holds the amount and opens the run, in one statement.
 * Null when nothing could be opened (balance, credential or last run changed since the look-up): look up again.
 * Rejects with SQLSTATE 23505 when another request with the same key won the race.
 */
export async function reserve(connection: Connection, input: ReserveInput): Promise<Reservation | null> {
  const { kind } = input.credential;
  const [row] = await connection.query<Row>(SQL[kind], [
    input.callerId,
    input.scope,
    input.idempotencyKey,
    input.fingerprint,
    input.priceCredits,
    input.ledgerId,
    input.operation,
    input.subjectId,
    input.leaseMs,
    ...(kind === 'session' ? [input.namedKeyId] : []),
  ]);
  if (!row) return null;
  return {
    accountId: row.account_id,
    ledgerId: row.ledger_id,
    bucketId: row.bucket_id,
    source: row.source,
    amount: row.amount,
    attempt: row.attempt,
  };
}
