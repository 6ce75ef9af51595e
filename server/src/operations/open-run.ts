import { setTimeout as sleep } from 'node:timers/promises';
import { GivenUp } from '../database/coalesce.ts';
import { confirmCommitted } from '../database/confirmed-client.ts';
import type { Database } from '../database/connect.ts';
import { errorCode, isDatabaseAway, isOutcomeUnknown } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import type { LastRun, LookUp } from '../ledger/look-up.ts';
import { readRun } from '../ledger/read-run.ts';
import { reapAccount } from '../ledger/reap.ts';
import { newLedgerId, type Reservation, type ReserveInput, reserve } from '../ledger/reserve.ts';
import { type PlanBook, type PlanStanding, planOf } from '../plans/plans.ts';
import { callerIdOf, requireAllowed } from './admit-call.ts';
import { type InTime, TooLate } from './deadline.ts';
import { judgeEarlierRun } from './earlier-run.ts';
import { failRun } from './end-run.ts';
import { lookUpWithPeriods } from './identify-call.ts';
import type { OperationCall } from './operation-call.ts';
import { outcomeUnknown, TRY_AFTER_MS, withinResolution } from './unknown-outcome.ts';

const ROUNDS = 4;
const UNIQUE_VIOLATION = '23505';
const DEADLOCK = '40P01';

/** What opening and ending a run needs. */
export interface LedgerParts {
  database: Database;
  planBook: PlanBook;
  /** Told of a database failure after which the stored state decides. */
  onDoubt(ledgerId: string, error: unknown): void;
}

/** The 402: nothing can pay. Says so where the account's plan offers overage that its owner has not switched on. */
export function insufficientCredits(planBook: PlanBook, standing: PlanStanding): DomainError {
  const { overageCapCredits } = planOf(planBook, standing.plan);
  const offered = (overageCapCredits ?? 0) > 0 && !standing.overageEnabled;
  const overage = offered
    ? ` Your plan offers up to ${overageCapCredits} credits of overage a month, which is off: switch it on under Plan in the console.`
    : '';
  return new DomainError(
    'insufficient_credits',
    `No free call and no credits are left that could pay for this call.${overage} ${offered ? 'Or add' : 'Add'} credits, or wait for the next period.`,
  );
}

/** Throws 402 where no bucket can pay, after the holds of dead runs were given back. */
export async function requireAffordable(
  { database, planBook }: LedgerParts,
  call: OperationCall,
  found: LookUp,
): Promise<void> {
  if (found.affordable) return;
  if (!found.reapable) throw insufficientCredits(planBook, found);
  await reapAccount(database, found.accountId);
  const again = await lookUpWithPeriods(database, planBook, call);
  if (!again.affordable) throw insufficientCredits(planBook, again);
}

/** What opening a run comes to: a hold, or the settled run that another request with the same key made meanwhile. */
export type Opened = { run: Reservation; replay: null } | { run: null; replay: LastRun };

/** Reads the state after a statement that opened nothing; null where the call may try to open its run again. */
async function judgeAgain(
  parts: LedgerParts,
  call: OperationCall,
  input: ReserveInput,
): Promise<Opened | null> {
  const { database, planBook } = parts;
  const { accountId, ledgerId } = input;
  const now = await lookUpWithPeriods(database, planBook, call);
  requireAllowed(call, now);
  if (now.lastRun?.ledgerId === ledgerId && now.lastRun.state === 'reserved') {
    return { run: { ...now.lastRun, accountId }, replay: null };
  }
  const replay = await judgeEarlierRun(database, now);
  if (replay) return { run: null, replay };
  await requireAffordable(parts, call, now);
  return null;
}

/** Errors after which the same statement may simply be sent again, or its outcome read. */
function isPassing(error: unknown): boolean {
  return isOutcomeUnknown(error) || isDatabaseAway(error) || errorCode(error)?.code === DEADLOCK;
}

/**
 * Gives a hold back that comes after its call's time is over, also one whose answer was lost. One that can't be looked for
 * stays until the reaper comes, which the log says.
 */
async function giveBack(
  parts: LedgerParts,
  input: ReserveInput,
  reserving: Promise<Reservation | null>,
): Promise<void> {
  try {
    const run = await reserving.catch((error) => {
      // Never sent, or undone by the server.
      if (error instanceof GivenUp || !isOutcomeUnknown(error)) return null;
      parts.onDoubt(input.ledgerId, error);
      return readAfterDoubt(parts.database, input);
    });
    if (run && run !== 'absent') await failRun(parts, run, 'abandoned');
  } catch (error) {
    parts.onDoubt(input.ledgerId, error);
  }
}

/**
 * One S1 whose outcome is known: read back by its id when the statement's answer was lost. A hold that comes after the
 * call's time is over is given back, so that a retry need not wait for its lease.
 */
async function reserveSurely(
  parts: LedgerParts,
  input: ReserveInput,
  inTime: InTime,
): Promise<Reservation | null | 'lost race'> {
  const reserving = reserve(parts.database, input);
  try {
    return await inTime(reserving);
  } catch (error) {
    if (error instanceof TooLate) void giveBack(parts, input, reserving);
    if (errorCode(error)?.code === UNIQUE_VIOLATION) return 'lost race';
    if (!isPassing(error)) throw error;
    parts.onDoubt(input.ledgerId, error);
    if (!isOutcomeUnknown(error)) return 'lost race';
    const run = await withinResolution(input.ledgerId, readAfterDoubt(parts.database, input));
    return run === 'absent' ? 'lost race' : run;
  }
}

/** The run as it stands, once that is sure to outlive a failover. */
async function readConfirmed(database: Database, { accountId, ledgerId }: ReserveInput) {
  const run = await readRun(database, accountId, ledgerId);
  await confirmCommitted(database);
  return run;
}

async function readAfterDoubt(database: Database, input: ReserveInput): Promise<Reservation | 'absent'> {
  for (const waitMs of TRY_AFTER_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const run = await readConfirmed(database, input).catch(() => undefined);
    if (run === null) return 'absent';
    if (run) return { ...run, accountId: input.accountId, ledgerId: input.ledgerId };
  }
  throw outcomeUnknown(input.ledgerId);
}

/**
 * Holds the amount and opens the run. The look-up that came before may be outdated by now, so whenever the statement
 * opens nothing the state is read and judged again; throws what that says (401, 402, 403, 409, 422, 429), and TooLate.
 */
export async function openRun(
  parts: LedgerParts,
  call: OperationCall,
  found: LookUp,
  subjectId: string,
  leaseMs: number,
  inTime: InTime,
): Promise<Opened> {
  const { accountId } = found;
  const ledgerId = newLedgerId();
  const input = {
    ...call,
    callerId: callerIdOf(found),
    accountId,
    ledgerId,
    operation: call.request.operation,
    subjectId,
    leaseMs,
  };
  for (let round = 0; round < ROUNDS; round++) {
    const run = await reserveSurely(parts, input, inTime);
    if (run && run !== 'lost race') return { run, replay: null };
    const opened = await inTime(judgeAgain(parts, call, input));
    if (opened) return opened;
  }
  throw new DomainError(
    'unavailable',
    'Too many requests race for this balance. Retry with the same idempotency_key.',
    {
      retryAfterSeconds: 1,
    },
  );
}
