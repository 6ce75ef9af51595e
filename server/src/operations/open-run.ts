import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import type { LastRun, LookUp } from '../ledger/look-up.ts';
import { readRun } from '../ledger/read-run.ts';
import { reapAccount } from '../ledger/reap.ts';
import { newLedgerId, type Reservation, type ReserveInput, reserve } from '../ledger/reserve.ts';
import type { PlanBook } from '../plans/plans.ts';
import { lookUpWithPeriods } from './admit-call.ts';
import { judgeEarlierRun } from './earlier-run.ts';
import type { OperationCall } from './operation-call.ts';

const ROUNDS = 4;
const UNIQUE_VIOLATION = '23505';

/** Told where a hold whose outcome is unknown cannot be resolved: the same key tells later. */
export function outcomeUnknown(ledgerId: string): DomainError {
  return new DomainError(
    'unavailable',
    'The outcome could not be confirmed just now. Retry with the same idempotency_key: it is charged at most once.',
    { ledgerId, retryAfterSeconds: 5 },
  );
}

export function insufficientCredits(): DomainError {
  return new DomainError(
    'insufficient_credits',
    'No free call and no credits are left that could pay for this call. Add credits, or wait for the next period.',
  );
}

/** Throws 402 where no bucket can pay. Holds of dead runs are given back first; then the reserving statement judges. */
export async function requireAffordable(database: Database, found: LookUp): Promise<void> {
  if (found.affordable) return;
  if (!found.reapable) throw insufficientCredits();
  await reapAccount(database, found.accountId);
}

type OwnedInput = ReserveInput & { accountId: string };

/** One S1 whose outcome is known: read back by its id when the statement's answer was lost. */
async function reserveSurely(
  database: Database,
  input: OwnedInput,
): Promise<Reservation | null | 'lost race'> {
  try {
    return await reserve(database, input);
  } catch (error) {
    if (errorCode(error)?.code === UNIQUE_VIOLATION) return 'lost race';
    const run = await readAfterDoubt(database, input);
    return run === 'absent' ? 'lost race' : run;
  }
}

async function readAfterDoubt(database: Database, input: OwnedInput): Promise<Reservation | 'absent'> {
  for (const waitMs of [0, 500, 1500]) {
    await sleep(waitMs);
    const run = await readRun(database, input.accountId, input.ledgerId).catch(() => undefined);
    if (run === null) return 'absent';
    if (run) return { ...run, accountId: input.accountId, ledgerId: input.ledgerId };
  }
  throw outcomeUnknown(input.ledgerId);
}

/** What opening a run comes to: a hold, or the settled run that another request with the same key made meanwhile. */
export type Opened = { run: Reservation; replay: null } | { run: null; replay: LastRun };

/**
 * Holds the amount and opens the run. The look-up that came before may be outdated by now, so whenever the statement
 * opens nothing the state is read and judged again; throws what that says (401, 402, 403, 409, 422, 429).
 */
export async function openRun(
  database: Database,
  planBook: PlanBook,
  call: OperationCall,
  found: LookUp,
  subjectId: string,
  leaseMs: number,
): Promise<Opened> {
  const { keyId, accountId } = found;
  const ledgerId = newLedgerId();
  const input = {
    ...call,
    keyId,
    accountId,
    ledgerId,
    operation: call.request.operation,
    subjectId,
    leaseMs,
  };
  for (let round = 0; round < ROUNDS; round++) {
    const run = await reserveSurely(database, input);
    if (run && run !== 'lost race') return { run, replay: null };
    const now = await lookUpWithPeriods(database, planBook, call);
    if (now.lastRun?.ledgerId === ledgerId && now.lastRun.state === 'reserved') {
      return { run: { ...now.lastRun, accountId }, replay: null };
    }
    const replay = await judgeEarlierRun(database, now);
    if (replay) return { run: null, replay };
    await requireAffordable(database, now);
  }
  throw new DomainError(
    'unavailable',
    'Too many requests race for this balance. Retry with the same idempotency_key.',
    {
      retryAfterSeconds: 1,
    },
  );
}
