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
import { withinResolution } from './unknown-outcome.ts';

const UNIQUE_VIOLATION = '23505';

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
      return readHeld(parts.database, input);
    });
    if (run) await failRun(parts, run, 'abandoned');
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
): Promise<Reservation | null> {
  const reserving = reserve(parts.database, input);
  try {
    return await inTime(reserving);
  } catch (error) {
    if (error instanceof TooLate) void giveBack(parts, input, reserving);
    if (errorCode(error)?.code === UNIQUE_VIOLATION) return null;
    if (!isPassing(error)) throw error;
    parts.onDoubt(input.ledgerId, error);
    if (!isOutcomeUnknown(error)) return null;
    return withinResolution(input.ledgerId, readHeld(parts.database, input));
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
