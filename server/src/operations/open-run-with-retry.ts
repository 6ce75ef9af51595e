import { setTimeout as sleep } from 'node:timers/promises';
import type { BillingContext, LastRun } from '../billing/ledger/billing-context.ts';
import { readRunConfirmed, type StoredRun } from '../billing/ledger/read-run.ts';
import { newLedgerId, type ReserveInput } from '../billing/ledger/reserve.ts';
import type { Database } from '../platform/database/connect.ts';
import { errorCode, isDatabaseUnavailable, isOutcomeUnknown } from '../platform/database/database-errors.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { reloadBillingContext } from './call-context.ts';
import type { Deadline } from './deadline.ts';
import { withDeadline } from './deadline.ts';
import type { OperationCall } from './operation-call.ts';
import { callerIdOf, type LedgerParts } from './refusal-checks.ts';
import { runChecks } from './refusal-order.ts';

/**
 * Delays in milliseconds before each attempt to end a run, or to read a run with unknown outcome: three attempts, the
 * last after 1.8 s.
 */
export const RETRY_DELAYS_MS = [0, 300, 1500] as const;

/**
 * Maximum time to resolve an unknown outcome. Without it, a call would wait for statements that hang until their own
 * timeout. Together with the default deadline for the hold (2.2 s) it stays below five seconds.
 */
const RESOLUTION_MS = 2_600;

/**
 * Creates the 503 for a run whose outcome cannot be read now. A retry with the same idempotency key returns the
 * outcome.
 */
export function outcomeUnknown(ledgerId: string): DomainError {
  return new DomainError(
    'unavailable',
    'The outcome could not be confirmed just now. Retry with the same idempotency_key: it is charged at most once.',
    { ledgerId, retryAfterSeconds: 5 },
  );
}

/**
 * Awaits work that resolves an unknown outcome, or throws 503 if it takes too long. The work continues, and a retry of
 * the client finds its result.
 */
export function withinResolution<Result>(ledgerId: string, resolution: Promise<Result>): Promise<Result> {
  return withDeadline(resolution, RESOLUTION_MS, () => outcomeUnknown(ledgerId));
}

const MAX_ROUNDS = 4;
const DEADLOCK = '40P01';

/**
 * Result of opening a run: the new run, or, for a replay, the run that another request with the same idempotency key has
 * settled in the meantime.
 */
export type Opened<Run> = { run: Run; replay: null } | { run: null; replay: LastRun };

/** Strategy for opening a run: with a hold, or with a charge in one statement. */
export interface Opening<Run> {
  /** Sends the statement once; returns null if it is certain that nothing was stored. */
  open(): Promise<Run | null>;
  /**
   * Returns the run that the call's statement stored although its result was lost; null if that run cannot be
   * continued.
   */
  own(last: LastRun): Promise<Run | null>;
}

/**
 * Reads and checks the state again after a statement that opened nothing. Returns the run of this call if it was stored
 * after all, or a settled run to replay; null if the call may try again.
 */
async function reevaluate<Run>(
  parts: LedgerParts,
  call: OperationCall,
  ledgerId: string,
  opening: Opening<Run>,
): Promise<Opened<Run> | null> {
  const { database, planBook } = parts;
  const now = await reloadBillingContext(database, planBook, call);
  await runChecks('caller', parts, call, now, true);
  const own = now.lastRun?.ledgerId === ledgerId && (await opening.own(now.lastRun));
  if (own) return { run: own, replay: null };
  const replay = await runChecks('state', parts, call, now, true);
  return replay && { run: null, replay };
}

/**
 * Opens a run with retries. If the statement opens nothing, the state that was read before it is outdated, so the state
 * is read and checked again. Then tries again, returns the run that another request has settled, or throws the
 * resulting error (401, 402, 403, 409, 422, 429). Throws 503 after the deadline or too many retries. Without reading
 * the run, `open-run-with-retry.db.test.ts` and `lost-answers.long.test.ts` fail.
 */
export async function openRunWithRetry<Run>(
  parts: LedgerParts,
  call: OperationCall,
  ledgerId: string,
  opening: Opening<Run>,
  withinDeadline: Deadline,
): Promise<Opened<Run>> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const run = await opening.open();
    if (run) return { run, replay: null };
    const opened = await withinDeadline(reevaluate(parts, call, ledgerId, opening));
    if (opened) return opened;
  }
  throw new DomainError(
    'unavailable',
    'Too many simultaneous requests use this balance. Retry with the same idempotency_key.',
    {
      retryAfterSeconds: 1,
    },
  );
}

/** Returns true for errors after which a retry may succeed, once the outcome of the statement is known. */
export function isTransient(error: unknown): boolean {
  return isOutcomeUnknown(error) || isDatabaseUnavailable(error) || errorCode(error)?.code === DEADLOCK;
}

/** Reads the run of a statement with unknown outcome; null if there is none. Throws 503 if it cannot be read. */
export async function resolveUnknownOutcome(
  database: Database,
  { accountId, ledgerId }: ReserveInput,
): Promise<StoredRun | null> {
  for (const waitMs of RETRY_DELAYS_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const stored = await readRunConfirmed(database, accountId, ledgerId).catch(() => undefined);
    if (stored !== undefined) return stored;
  }
  throw outcomeUnknown(ledgerId);
}

/** Builds the input of the statement that opens a run. */
export function runInputOf(
  call: OperationCall,
  found: BillingContext,
  subjectId: string,
  leaseMs: number,
): ReserveInput {
  const run = {
    callerId: callerIdOf(found),
    accountId: found.accountId,
    ledgerId: newLedgerId(),
    operation: call.request.operation,
    subjectId,
    leaseMs,
  };
  return Object.assign(run, call);
}
