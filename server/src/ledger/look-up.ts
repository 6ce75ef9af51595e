import type { Connection } from '../database/connect.ts';
import { BALANCE_COLUMNS, type Balance, type BalanceRow, balanceOf, type ChargeSource } from './balance.ts';

/** What a metered call asks of the ledger. */
export interface MeteredCall {
  /** SHA-256 of the presented secret. */
  keyHash: Buffer;
  scope: string;
  idempotencyKey: string;
  /** SHA-256 of the canonical JSON of {operation, channel, subject}. */
  fingerprint: Buffer;
  priceCredits: number;
}

export type RunState = 'reserved' | 'settled' | 'failed';

/** The last attempt made with an idempotency key. */
export interface LastRun {
  ledgerId: string;
  bucketId: number;
  state: RunState;
  attempt: number;
  sameBody: boolean;
  leaseOver: boolean;
  /** Failed less than a minute ago. */
  failedJustNow: boolean;
  source: ChargeSource;
  /** Calls for the source `free`, else credits. */
  amount: number;
  subjectId: string;
  balance: Balance;
}

/** Everything a metered call needs to know before it may reserve, read in one statement without a lock. */
export interface LookUp {
  keyId: string;
  accountId: string;
  plan: string;
  overageEnabled: boolean;
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  scopeOk: boolean;
  /** Some bucket can pay for the call. */
  affordable: boolean;
  /** A bucket holds amounts of runs whose lease is over: reaping them may make the call affordable. */
  reapable: boolean;
  /** Sources whose bucket of the running month exists. */
  openPeriods: string[];
  lastRun: LastRun | null;
}

interface Row extends BalanceRow {
  key_id: string;
  account_id: string;
  plan: string;
  overage_enabled: boolean;
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  scope_ok: boolean;
  affordable: boolean;
  reapable: boolean;
  open_periods: string[];
  ledger_id: string | null;
  bucket_id: number;
  state: RunState;
  attempt: number;
  same_body: boolean;
  lease_over: boolean;
  failed_just_now: boolean;
  source: ChargeSource;
  amount: number;
  subject_id: string;
}

const SQL = `
SELECT k.id AS key_id, k.account_id, a.plan, a.overage_enabled,
  k.revoked_at IS NOT NULL AS revoked, k.paused_at IS NOT NULL AS paused,
  coalesce(k.expires_at <= ledger_now(), false) AS expired, $2 = ANY (k.scopes) AS scope_ok,
  EXISTS (SELECT 1 FROM credit_bucket c WHERE c.account_id = k.account_id
    AND c.valid_from <= ledger_now() AND ledger_now() < c.valid_to
    AND c.total - c.used - c.held >= CASE c.unit WHEN 'call' THEN 1 ELSE $5::int END) AS affordable,
  EXISTS (SELECT 1 FROM usage_run o WHERE o.account_id = k.account_id AND o.state = 'reserved'
    AND o.lease_until <= ledger_now()) AS reapable,
  ARRAY(SELECT c.source FROM credit_bucket c WHERE c.account_id = k.account_id AND c.period_kind = 'month'
    AND c.valid_from = date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC') AS open_periods,
  p.ledger_id, p.bucket_id, p.state, p.attempt, p.fingerprint = $4 AS same_body,
  p.lease_until <= ledger_now() AS lease_over,
  p.state = 'failed' AND p.ended_at > ledger_now() - interval '1 minute' AS failed_just_now,
  p.source, p.amount, p.subject_id, ${BALANCE_COLUMNS}
FROM access_key k
JOIN account a ON a.id = k.account_id
LEFT JOIN LATERAL (SELECT * FROM usage_run r WHERE r.account_id = k.account_id AND r.idempotency_key = $3
  ORDER BY r.attempt DESC LIMIT 1) p ON true
LEFT JOIN credit_bucket b ON b.account_id = k.account_id AND b.id = p.bucket_id
WHERE k.key_hash = $1`;

function lastRunOf(row: Row): LastRun | null {
  if (row.ledger_id === null) return null;
  return {
    ledgerId: row.ledger_id,
    bucketId: row.bucket_id,
    state: row.state,
    attempt: row.attempt,
    sameBody: row.same_body,
    leaseOver: row.lease_over,
    failedJustNow: row.failed_just_now,
    source: row.source,
    amount: row.amount,
    subjectId: row.subject_id,
    balance: balanceOf(row),
  };
}

/**
 * S0: the key's standing, the last run of this idempotency key and whether the call can be paid, as they are now.
 * Only saves work: reserve judges. Null when no key has this hash.
 */
export async function lookUp(connection: Connection, call: MeteredCall): Promise<LookUp | null> {
  const [row] = await connection.query<Row>(SQL, [
    call.keyHash,
    call.scope,
    call.idempotencyKey,
    call.fingerprint,
    call.priceCredits,
  ]);
  if (!row) return null;
  return {
    keyId: row.key_id,
    accountId: row.account_id,
    plan: row.plan,
    overageEnabled: row.overage_enabled,
    revoked: row.revoked,
    paused: row.paused,
    expired: row.expired,
    scopeOk: row.scope_ok,
    affordable: row.affordable,
    reapable: row.reapable,
    openPeriods: row.open_periods,
    lastRun: lastRunOf(row),
  };
}
