import { GivenUp } from '../database/coalesce.ts';
import type { Database } from '../database/connect.ts';
import { errorCode, isOutcomeUnknown } from '../database/database-errors.ts';
import type { LookUp } from '../ledger/look-up.ts';
import { type Reservation, type ReserveInput, reserve } from '../ledger/reserve.ts';
import type { LedgerParts } from './afford-call.ts';
import { type InTime, TooLate } from './deadline.ts';
import { failRun } from './end-run.ts';
import { isPassing, type Opened, openSurely, readAfterDoubt, runInputOf } from './open-surely.ts';
import type { OperationCall } from './operation-call.ts';

const UNIQUE_VIOLATION = '23505';

/** Gives a hold back that comes after its call's time is over. One that can't be looked for stays until the reaper comes. */
async function giveBack(
  parts: LedgerParts,
  ledgerId: string,
  reserving: Promise<Reservation | null>,
): Promise<void> {
  try {
    const run = await reserving;
    if (run) await failRun(parts, run, 'abandoned');
  } catch (error) {
    // Never sent: there is nothing to give back.
    if (!(error instanceof GivenUp)) parts.onDoubt(ledgerId, error);
  }
}

/**
 * One S1 whose outcome is known, within its call's time. A hold that comes after that is given back, so that a retry need not
 * wait for its lease.
 */
async function reserveSurely(
  parts: LedgerParts,
  input: ReserveInput,
  inTime: InTime,
): Promise<Reservation | null> {
  const reserving = reserveOrRead(parts, input);
  try {
    return await inTime(reserving);
  } catch (error) {
    if (error instanceof TooLate) void giveBack(parts, input.ledgerId, reserving);
    throw error;
  }
}

/** Read back by its id when the statement's answer was lost. */
async function reserveOrRead(parts: LedgerParts, input: ReserveInput): Promise<Reservation | null> {
  try {
    return await reserve(parts.database, input);
  } catch (error) {
    if (errorCode(error)?.code === UNIQUE_VIOLATION) return null;
    if (!isPassing(error)) throw error;
    parts.onDoubt(input.ledgerId, error);
    return isOutcomeUnknown(error) ? readHeld(parts.database, input) : null;
  }
}

async function readHeld(database: Database, input: ReserveInput): Promise<Reservation | null> {
  const run = await readAfterDoubt(database, input);
  return run && { ...run, accountId: input.accountId, ledgerId: input.ledgerId };
}

/** Holds the amount and opens the run, which its call ends. */
export function openRun(
  parts: LedgerParts,
  call: OperationCall,
  found: LookUp,
  subjectId: string,
  leaseMs: number,
  inTime: InTime,
): Promise<Opened<Reservation>> {
  const input = runInputOf(call, found, subjectId, leaseMs);
  const { accountId, ledgerId } = input;
  return openSurely(
    parts,
    call,
    ledgerId,
    {
      open: () => reserveSurely(parts, input, inTime),
      own: async (last) => (last.state === 'reserved' ? { ...last, accountId } : null),
    },
    inTime,
  );
}
