import type { CallerRow } from '../../access/callers/caller.fragment.ts';
import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import type { PlanSettings } from '../../access/plans/plans.ts';
import { batchBytes, batchJson } from '../../platform/batching/batch-source.ts';
import { createBatcher } from '../../platform/batching/batcher.ts';
import { perConnection, statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { CallerStatus, Credential } from '../../platform/http/credentials/principal.ts';
import { type Balance, type BalanceRow, balanceOf } from './account-buckets.ts';
import { billingContextSqlOf } from './billing-context.fragment.ts';

/** A metered call as the ledger sees it. */
export interface MeteredCall {
  credential: Credential;
  /**
   * Id of the access key that a session's call names and is attributed to: lower case, not validated as a UUID.
   * Ignored if the caller uses an access key.
   */
  namedKeyId: string | null;
  /** Scope that the operation requires of the access key. */
  scope: string;
  idempotencyKey: string;
  /** SHA-256 of the canonical JSON of {operation, channel, subject}. */
  fingerprint: Buffer;
  priceCredits: number;
  /** Deadline on the `performance.now()` clock. The call is dropped if it was not sent to the database by then. */
  until?: number;
}

/** States of a run: `reserved` while in progress, then finally `settled` or `failed`. */
export const RUN_STATES = ['reserved', 'settled', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Latest run of an idempotency key. */
export interface LastRun {
  ledgerId: string;
  bucketId: number;
  state: RunState;
  attempt: number;
  /** True if the run's request had the same fingerprint as this call. */
  sameBody: boolean;
  /** True if the run's lease has expired by the database clock. */
  leaseOver: boolean;
  /** True if the run failed less than a minute ago. */
  failedJustNow: boolean;
  /**
   * True if this server's commits wait for a standby. The standby may then lack this run and later charges of its
   * bucket.
   */
  unconfirmed: boolean;
  source: ChargeSource;
  /** Calls if the source is `free`, otherwise credits. */
  amount: number;
  subjectId: string;
  /** SHA-256 of the signed score that the run returned; null if there is none. */
  signatureSha256: Buffer | null;
  balance: Balance;
}

/**
 * Monthly limits of an access key (null: no limit), and what it and the keys that it replaces have spent this month,
 * including what their open runs hold.
 */
interface KeySpending {
  readonly monthlyCalls: number | null;
  readonly monthlyCredits: number | null;
  readonly calls: number;
  readonly credits: number;
  /** True if a free call would pay, so that no credits are spent. */
  readonly byFreeCall: boolean;
}

/** Billing data that a metered call needs before it may reserve, read in one statement without locks. */
export interface BillingContext extends CallerStatus, PlanSettings {
  /** Exactly one of `keyId` and `sessionId` is set. */
  keyId: string | null;
  sessionId: string | null;
  accountId: string;
  /** True if the session's recorded last use is at least a minute old, so that this use must be recorded. */
  useIsDue: boolean;
  scopeOk: boolean;
  /** Status of the key that a session's call names; null if it names no key, or one that the account does not have. */
  namedKey: { works: boolean; scopeOk: boolean } | null;
  /**
   * Monthly limits of the key to which the call is attributed, and what the key has spent; null if there is no such
   * key, or if it has no limit.
   */
  keySpending: KeySpending | null;
  /** True if a bucket can pay for the call. */
  affordable: boolean;
  /**
   * True if no bucket can pay, but runs with expired leases still hold amounts. Reaping them may make the call
   * affordable.
   */
  reapable: boolean;
  /** Sources that have a bucket for the current month. */
  openPeriods: string[];
  lastRun: LastRun | null;
}

/** Result row of the look-up statement. */
export interface BillingContextRow extends BalanceRow, Omit<CallerRow, 'scopes'> {
  n: number;
  plan: string;
  overage_enabled: boolean;
  overage_cap: number | null;
  scope_ok: boolean;
  named_works: boolean | null;
  named_scope_ok: boolean;
  monthly_calls: number | null;
  monthly_credits: number | null;
  spent_calls: number;
  spent_credits: number;
  by_free_call: boolean;
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
  unconfirmed: boolean;
  charge_source: ChargeSource;
  amount: number;
  subject_id: string;
  signature_sha256: Buffer | null;
}

function keySpendingOf(row: BillingContextRow): KeySpending | null {
  const { monthly_calls, monthly_credits, spent_calls, spent_credits, by_free_call } = row;
  if (monthly_calls === null && monthly_credits === null) return null;
  return {
    monthlyCalls: monthly_calls,
    monthlyCredits: monthly_credits,
    calls: spent_calls,
    credits: spent_credits,
    byFreeCall: by_free_call,
  };
}

function lastRunOf(row: BillingContextRow): LastRun | null {
  if (row.ledger_id === null) return null;
  return {
    ledgerId: row.ledger_id,
    bucketId: row.bucket_id,
    state: row.state,
    attempt: row.attempt,
    sameBody: row.same_body,
    leaseOver: row.lease_over,
    failedJustNow: row.failed_just_now,
    unconfirmed: row.unconfirmed,
    source: row.charge_source,
    amount: row.amount,
    subjectId: row.subject_id,
    signatureSha256: row.signature_sha256,
    balance: balanceOf(row),
  };
}

/** Converts a call to a batch item of the look-up. */
export function billingContextItemOf(call: MeteredCall) {
  return {
    hash: batchBytes(call.credential.hash),
    scope: call.scope,
    key: call.idempotencyKey,
    fingerprint: batchBytes(call.fingerprint),
    price: call.priceCredits,
    named: call.namedKeyId,
  };
}

/** Returns the partition key of a call in a batcher: the hash of the caller's credential, as text. */
export function callerPartition({ credential }: MeteredCall): string {
  return credential.hash.toString('latin1');
}

const STATEMENTS = { key: billingContextSqlOf.key(), session: billingContextSqlOf.session() };

async function loadAllBillingContexts(
  connection: Connection,
  kind: keyof typeof STATEMENTS,
  calls: readonly MeteredCall[],
): Promise<(BillingContext | null)[]> {
  const rows = await connection.query<BillingContextRow>(STATEMENTS[kind], [
    batchJson(calls.map(billingContextItemOf)),
  ]);
  const answers = calls.map((): BillingContext | null => null);
  for (const row of rows) answers[row.n] = billingContextOf(row);
  return answers;
}

const createLoader = (kind: keyof typeof STATEMENTS) =>
  perConnection((connection) =>
    createBatcher<MeteredCall, BillingContext | null>({
      name: 'look_up',
      watch: connection.watch,
      run: (calls) => loadAllBillingContexts(connection, kind, calls),
      partitionKeyOf: callerPartition,
      deadlineOf: ({ until }) => until,
      limiter: statementLimiter(connection),
    }),
  );

const LOADERS = { key: createLoader('key'), session: createLoader('session') };

/**
 * Reads the caller's status, the last run of the idempotency key and whether a bucket can pay. Concurrent calls are
 * batched. The result is an optimistic pre-check; `reserve` is authoritative. Returns null if no key or session has the
 * credential's hash.
 */
export function loadBillingContext(
  connection: Connection,
  call: MeteredCall,
): Promise<BillingContext | null> {
  return LOADERS[call.credential.kind](connection)(call);
}

/** Converts a result row of the look-up statement. */
export function billingContextOf(row: BillingContextRow): BillingContext {
  return {
    keyId: row.key_id,
    sessionId: row.session_id,
    accountId: row.account_id,
    plan: row.plan,
    overageEnabled: row.overage_enabled,
    overageCap: row.overage_cap,
    revoked: row.revoked,
    paused: row.paused,
    expired: row.expired,
    ended: row.ended,
    suspended: row.suspended,
    useIsDue: row.use_is_due,
    scopeOk: row.scope_ok,
    namedKey: row.named_works === null ? null : { works: row.named_works, scopeOk: row.named_scope_ok },
    keySpending: keySpendingOf(row),
    affordable: row.affordable,
    reapable: row.reapable,
    openPeriods: row.open_periods,
    lastRun: lastRunOf(row),
  };
}
