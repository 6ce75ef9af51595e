import {
  OPERATIONS,
  type Operation,
  type PlanBook,
  type PlanSettings,
  planOf,
} from '../access/plans/plans.ts';
import type { BillingContext, LastRun } from '../billing/ledger/billing-context.ts';
import { reapAccount, reapBucket } from '../billing/ledger/reap.ts';
import type { FoundSubject } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { type ResolvedSubject, requireOneSubject } from '../catalog/subjects/resolve-subject.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { reloadBillingContext } from './call-context.ts';
import { METERED_OPERATIONS, type OperationCall, type OperationRequest } from './operation-call.ts';

// Failed attempts per idempotency key, after which a retry is accepted once a minute only. Without this limit, a client in
// a retry loop would grow the table of runs without bound.
const ATTEMPTS_BEFORE_PAUSE = 20;

const PAUSE_SECONDS = 60;

const IN_PROGRESS_RETRY_SECONDS = 2;

/**
 * Decides what to do about an earlier run with the same idempotency key. Returns the earlier run if it is settled, so
 * that the caller can replay it. Returns null if the call may run: there is no earlier run, it has failed, or its lease
 * has expired. In this last case, first ends the run and releases its hold, and returns a promise of null.
 * Throws 422 if the earlier run was for a different request, 409 if it is in progress, and 429 after 20 failed attempts
 * if the last one failed within the last minute.
 */
export function resolveReplay(database: Database, found: BillingContext): LastRun | null | Promise<null> {
  const run = found.lastRun;
  if (!run) return null;
  if (!run.sameBody) {
    throw new DomainError(
      'idempotency_key_reused',
      'This idempotency_key was used for another operation or subject. Use a new key for a new request.',
    );
  }
  if (run.state === 'settled') return run;
  if (run.state === 'reserved' && !run.leaseOver) {
    throw new DomainError(
      'idempotency_in_progress',
      'A request with this idempotency_key is in progress. Retry with the same key.',
      { ledgerId: run.ledgerId, retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
    );
  }
  if (run.state === 'reserved') return reapBucket(database, found.accountId, run.bucketId).then(() => null);
  if (run.attempt >= ATTEMPTS_BEFORE_PAUSE && run.failedJustNow) {
    throw new DomainError(
      'rate_limited',
      `${run.attempt} attempts with this idempotency_key have failed. You can retry it once a minute.`,
      { retryAfterSeconds: PAUSE_SECONDS },
    );
  }
  return null;
}

/** Returns the id of the key or session that makes the call. */
export function callerIdOf({ keyId, sessionId }: BillingContext): string {
  const id = keyId ?? sessionId;
  if (id === null) throw new Error('the caller has neither a key nor a session');
  return id;
}

/**
 * Checks `api_key_id`: with an access key, it must be the id of that key; with a session, the id of an active key of
 * the account.
 */
export function requireNamedKey({ namedKeyId }: OperationCall, { keyId, namedKey }: BillingContext): null {
  if (namedKeyId === null) return null;
  if (keyId !== null) {
    if (namedKeyId === keyId) return null;
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of the access key that signs this request. Leave it out: the key is derived from the bearer token.',
    );
  }
  if (!namedKey) {
    throw new DomainError(
      'key_mismatch',
      'api_key_id is not the id of an access key of this account. Name one of its active keys, or leave it out.',
    );
  }
  if (!namedKey.works) {
    throw new DomainError(
      'key_inactive',
      'The access key that api_key_id names is not active. Name an active one, or leave it out.',
    );
  }
  return null;
}

/** Throws unless the caller, and the key that `api_key_id` names, have the scope of the operation. */
export function requireScope({ request, scope }: OperationCall, { scopeOk, namedKey }: BillingContext): null {
  if (scopeOk && (namedKey?.scopeOk ?? true)) return null;
  throw new DomainError(
    'insufficient_scope',
    `${request.operation} needs the scope ${scope}, which this access key lacks. Create a key that has it.`,
  );
}

/** Dependencies for opening and ending a run. */
export interface LedgerParts {
  database: Database;
  planBook: PlanBook;
  /**
   * Called after a database failure, to log it. If the outcome of the statement is unknown, the stored run is then
   * read.
   */
  onUnknownOutcome(ledgerId: string, error: unknown): void;
}

/**
 * Creates the 402 of a call that no bucket can pay. Mentions overage if the account's plan offers it and the account
 * has not enabled it.
 */
export function insufficientCredits(planBook: PlanBook, standing: PlanSettings): DomainError {
  const { overageCapCredits } = planOf(planBook, standing.plan);
  const offered = (overageCapCredits ?? 0) > 0 && !standing.overageEnabled;
  const overage = offered
    ? ` Your plan offers up to ${overageCapCredits} credits of overage a month, which is off: switch it on under Plan in the console.`
    : '';
  return new DomainError(
    'insufficient_credits',
    `Your free calls and credits do not cover the price of this call.${overage} ${offered ? 'Or add' : 'Add'} credits, or wait for the next period.`,
  );
}

/** Returns true if the call would exceed a monthly limit of its key. */
function exceedsKeyLimit({ priceCredits }: OperationCall, { keySpending }: BillingContext): boolean {
  if (keySpending === null) return false;
  const { monthlyCalls, monthlyCredits, calls, credits, byFreeCall } = keySpending;
  if (monthlyCalls !== null && calls + 1 > monthlyCalls) return true;
  return monthlyCredits !== null && !byFreeCall && credits + priceCredits > monthlyCredits;
}

/** Creates the 402 of a call that would exceed a monthly limit of its key. */
function keyLimitExceeded({ keySpending }: BillingContext): DomainError {
  const { monthlyCalls = null, monthlyCredits = null } = keySpending ?? {};
  const limits = [
    ...(monthlyCalls === null ? [] : [`${monthlyCalls} calls`]),
    ...(monthlyCredits === null ? [] : [`${monthlyCredits} credits`]),
  ];
  return new DomainError(
    'key_limit_exceeded',
    `This call would exceed the monthly limit of its access key, ${limits.join(' and ')}. Raise the limit under Keys in the console, use another key, or wait for the next month.`,
  );
}

/**
 * Throws 402 if the call would exceed a monthly limit of its key. Before it throws, it releases the holds of runs with
 * expired leases and checks again. The limit is also checked when the run opens, so that concurrent calls never exceed
 * it.
 */
export function requireKeyLimit(
  parts: LedgerParts,
  call: OperationCall,
  found: BillingContext,
): null | Promise<null> {
  return exceedsKeyLimit(call, found) ? requireLimitAfterRelease(parts, call, found) : null;
}

async function requireLimitAfterRelease(
  { database, planBook }: LedgerParts,
  call: OperationCall,
  found: BillingContext,
): Promise<null> {
  const reaped = await reapAccount(database, found.accountId);
  const again = reaped === 0 ? found : await reloadBillingContext(database, planBook, call);
  if (exceedsKeyLimit(call, again)) throw keyLimitExceeded(again);
  return null;
}

/**
 * Throws 402 if no bucket can pay. Before it throws, it releases the holds of runs with expired leases, if there are
 * any, and checks again.
 */
export function requireSufficientBalance(
  parts: LedgerParts,
  call: OperationCall,
  found: BillingContext,
): null | Promise<null> {
  if (found.affordable) return null;
  if (!found.reapable) throw insufficientCredits(parts.planBook, found);
  return requireReapedBalance(parts, call, found);
}

async function requireReapedBalance(
  { database, planBook }: LedgerParts,
  call: OperationCall,
  found: BillingContext,
): Promise<null> {
  await reapAccount(database, found.accountId);
  const again = await reloadBillingContext(database, planBook, call);
  if (!again.affordable) throw insufficientCredits(planBook, again);
  return null;
}

/**
 * Returns the subject if exactly one was found. Otherwise throws subject_not_found, which names the right operation if
 * the text matches a subject of another type; subject_delisted with the operator's reason; or subject_ambiguous with
 * the candidates.
 */
export async function requireSubject(
  connection: Connection,
  { operation, subject: text }: OperationRequest,
  publicUrls: PublicUrls,
  found: readonly FoundSubject[],
): Promise<ResolvedSubject> {
  const { subjectTypes } = METERED_OPERATIONS[operation];
  try {
    return await requireOneSubject(connection, subjectTypes, text.trim(), publicUrls, found);
  } catch (error) {
    throw error instanceof DomainError ? inTermsOfOperations(error) : error;
  }
}

function inTermsOfOperations(error: DomainError): DomainError {
  const { code, message, details } = error;
  if (code === 'gone') return new DomainError('subject_delisted', `${message} Nothing was charged.`);
  const fitting = fittingOperation(details.otherType);
  return fitting === undefined
    ? error
    : new DomainError(code, `${message.replace(/\.$/, '')}: use ${fitting} for it.`, details);
}

function fittingOperation(type: string | undefined): Operation | undefined {
  return OPERATIONS.find((operation) => {
    const { subjectTypes, lineage } = METERED_OPERATIONS[operation];
    return !lineage && subjectTypes.some((each) => each === type);
  });
}
