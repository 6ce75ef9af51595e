import type { CallerRow } from '../callers/caller.condition.ts';
import type { CallerStanding } from '../callers/credential-errors.ts';
import type { Credential } from '../callers/principal.ts';
import { batchBytes, batchJson } from '../database/batch.condition.ts';
import { coalesce, onEach } from '../database/coalesce.ts';
import type { Connection } from '../database/connect.ts';
import { sharedRoom } from '../database/shared-room.ts';
import type { PlanStanding } from '../plans/plans.ts';
import { type Balance, type BalanceRow, balanceOf, type ChargeSource } from './balance.ts';
import { lookUpSqlOf } from './look-up.condition.ts';

/** What a metered call asks of the ledger. */
export interface MeteredCall {
  credential: Credential;
  /** The key that a session names for attribution, lower case, if that is an id at all; not looked at with an access key. */
  namedKeyId: string | null;
  scope: string;
  idempotencyKey: string;
  /** SHA-256 of the canonical JSON of {operation, channel, subject}. */
  fingerprint: Buffer;
  priceCredits: number;
  /** The moment (of `performance.now()`) when its caller gives up: what is unsent by then is not sent. */
  until?: number;
}

/** What becomes of a run: the first while it is under way, one of the others for good. */
export const RUN_STATES = ['reserved', 'settled', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

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
  /** Read on a server that waits for a standby, which may not have it yet, nor what its bucket has paid since. */
  unconfirmed: boolean;
  source: ChargeSource;
  /** Calls for the source `free`, else credits. */
  amount: number;
  subjectId: string;
  balance: Balance;
}

/** Everything a metered call needs to know before it may reserve, read in one statement without a lock. */
export interface LookUp extends CallerStanding, PlanStanding {
  /** Of key and session exactly one is set. */
  keyId: string | null;
  sessionId: string | null;
  accountId: string;
  /** A session whose last use is due to be noted. */
  unnoted: boolean;
  scopeOk: boolean;
  /** The key that a session names; null where it names none that its account owns. */
  namedKey: { works: boolean; scopeOk: boolean } | null;
  /** Some bucket can pay for the call. */
  affordable: boolean;
  /** No bucket can pay, and some hold amounts of runs whose lease is over: reaping them may make the call affordable. */
  reapable: boolean;
  /** Sources whose bucket of the running month exists. */
  openPeriods: string[];
  lastRun: LastRun | null;
}

/** A row of the look-up. */
export interface LookUpRow extends BalanceRow, Omit<CallerRow, 'scopes'> {
  n: number;
  plan: string;
  overage_enabled: boolean;
  overage_cap: number | null;
  scope_ok: boolean;
  named_works: boolean | null;
  named_scope_ok: boolean;
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
}

function lastRunOf(row: LookUpRow): LastRun | null {
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
    balance: balanceOf(row),
  };
}

/** A call as an item of the look-up's batch. */
export function lookUpItemOf(call: MeteredCall) {
  return {
    hash: batchBytes(call.credential.hash),
    scope: call.scope,
    key: call.idempotencyKey,
    fingerprint: batchBytes(call.fingerprint),
    price: call.priceCredits,
    named: call.namedKeyId,
  };
}

/** How look-ups are collected: callers take turns. */
export const LOOK_UP_LANES = {
  name: 'look_up',
  untilOf: ({ until }: MeteredCall) => until,
  laneOf: ({ credential }: MeteredCall) => credential.hash.toString('latin1'),
};

const LOOK_UP = { key: lookUpSqlOf.key(), session: lookUpSqlOf.session() };

async function lookUpAll(
  connection: Connection,
  kind: keyof typeof LOOK_UP,
  calls: readonly MeteredCall[],
): Promise<(LookUp | null)[]> {
  const rows = await connection.query<LookUpRow>(LOOK_UP[kind], [batchJson(calls.map(lookUpItemOf))]);
  const answers = calls.map((): LookUp | null => null);
  for (const row of rows) answers[row.n] = lookUpOf(row);
  return answers;
}

const lookingUp = (kind: keyof typeof LOOK_UP) =>
  onEach((connection) =>
    coalesce<MeteredCall, LookUp | null>({
      ...LOOK_UP_LANES,
      watch: connection.watch,
      run: (calls) => lookUpAll(connection, kind, calls),
      room: sharedRoom(connection),
    }),
  );

const LOOKING_UP = { key: lookingUp('key'), session: lookingUp('session') };

/**
 * S0: the caller's standing, the last run of this idempotency key and whether the call can be paid, as they are now; the
 * calls that wait for it are looked up in one statement. Only saves work: reserve judges. Null when no key or session has
 * this hash.
 */
export function lookUp(connection: Connection, call: MeteredCall): Promise<LookUp | null> {
  return LOOKING_UP[call.credential.kind](connection)(call);
}

/** What such a row says. */
export function lookUpOf(row: LookUpRow): LookUp {
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
    unnoted: row.unnoted,
    scopeOk: row.scope_ok,
    namedKey: row.named_works === null ? null : { works: row.named_works, scopeOk: row.named_scope_ok },
    affordable: row.affordable,
    reapable: row.reapable,
    openPeriods: row.open_periods,
    lastRun: lastRunOf(row),
  };
}
