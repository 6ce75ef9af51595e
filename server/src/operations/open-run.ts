import type { BillingContext } from '../billing/ledger/billing-context.ts';
import { type Reservation, type ReserveInput, reserve } from '../billing/ledger/reserve.ts';
import { DeadlineExceededError } from '../platform/batching/batcher.ts';
import type { Database } from '../platform/database/connect.ts';
import { errorCode, isOutcomeUnknown } from '../platform/database/database-errors.ts';
import { CallDeadlineExceededError, type Deadline } from './deadline.ts';
import { failRun } from './end-run.ts';
import {
  isTransient,
  type Opened,
  openRunWithRetry,
  resolveUnknownOutcome,
  runInputOf,
} from './open-run-with-retry.ts';
import type { OperationCall } from './operation-call.ts';
import type { LedgerParts } from './refusal-checks.ts';

/**
 * SQLSTATEs of errors after which nothing was stored. 23505: a concurrent request with the same idempotency key was
 * first. 23514: other calls have used up the monthly limit of the access key.
 */
const UNDONE = new Set(['23505', '23514']);

/**
 * Releases a hold that was made after its call's deadline. If the hold cannot be read, it is released when its lease
 * expires.
 */
async function releaseLateHold(
  parts: LedgerParts,
  ledgerId: string,
  reserving: Promise<Reservation | null>,
): Promise<void> {
  try {
    const run = await reserving;
    if (run) await failRun(parts, run, 'abandoned');
  } catch (error) {
    // A DeadlineExceededError means that the statement was never sent, so there is nothing to release.
    if (!(error instanceof DeadlineExceededError)) parts.onUnknownOutcome(ledgerId, error);
  }
}

/**
 * Opens a run and holds its price within the call's deadline, and resolves an unknown outcome. A hold that is made
 * after the deadline is released, so that a retry need not wait for the end of its lease.
 */
async function reserveWithRecovery(
  parts: LedgerParts,
  input: ReserveInput,
  withinDeadline: Deadline,
): Promise<Reservation | null> {
  const reserving = reserveOrRead(parts, input);
  try {
    return await withinDeadline(reserving);
  } catch (error) {
    if (error instanceof CallDeadlineExceededError) void releaseLateHold(parts, input.ledgerId, reserving);
    throw error;
  }
}

/** Opens a run and holds its price; if the result of the statement is lost, reads the run by its id. */
async function reserveOrRead(parts: LedgerParts, input: ReserveInput): Promise<Reservation | null> {
  try {
    return await reserve(parts.database, input);
  } catch (error) {
    if (UNDONE.has(errorCode(error)?.code ?? '')) return null;
    if (!isTransient(error)) throw error;
    parts.onUnknownOutcome(input.ledgerId, error);
    return isOutcomeUnknown(error) ? readHeld(parts.database, input) : null;
  }
}

async function readHeld(database: Database, input: ReserveInput): Promise<Reservation | null> {
  const run = await resolveUnknownOutcome(database, input);
  return run && { ...run, accountId: input.accountId, ledgerId: input.ledgerId };
}

/** Opens a run and holds its amount. The caller must settle or fail the run. */
export function openRun(
  parts: LedgerParts,
  call: OperationCall,
  found: BillingContext,
  subjectId: string,
  leaseMs: number,
  withinDeadline: Deadline,
): Promise<Opened<Reservation>> {
  const input = runInputOf(call, found, subjectId, leaseMs);
  const { accountId, ledgerId } = input;
  return openRunWithRetry(
    parts,
    call,
    ledgerId,
    {
      open: () => reserveWithRecovery(parts, input, withinDeadline),
      own: async (last) => (last.state === 'reserved' ? { ...last, accountId } : null),
    },
    withinDeadline,
  );
}
