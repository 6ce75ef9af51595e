import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { errorCode, isDatabaseAway, isOutcomeUnknown } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import type { LastRun, LookUp } from '../ledger/look-up.ts';
import { readRunConfirmed, type StoredRun } from '../ledger/read-run.ts';
import { newLedgerId, type ReserveInput } from '../ledger/reserve.ts';
import { callerIdOf, requireAllowed } from './admit-call.ts';
import { type LedgerParts, requireAffordable } from './afford-call.ts';
import type { InTime } from './deadline.ts';
import { judgeEarlierRun } from './earlier-run.ts';
import { lookUpWithPeriods } from './identify-call.ts';
import type { OperationCall } from './operation-call.ts';
import { outcomeUnknown, TRY_AFTER_MS } from './unknown-outcome.ts';

const ROUNDS = 4;
const DEADLOCK = '40P01';

/** What opening a run comes to: what the statement made, or the settled run that another request with the same key made meanwhile. */
export type Opened<Run> = { run: Run; replay: null } | { run: null; replay: LastRun };

/** How a run is opened. */
export interface Opening<Run> {
  /** Sends the statement once; null where it made nothing, or surely nothing that stands. */
  open(): Promise<Run | null>;
  /** The run that the statement made after all, as the state says that was read after it. */
  own(last: LastRun): Promise<Run | null>;
}

/** Reads the state after a statement that opened nothing; null where the call may try to open its run again. */
async function judgeAgain<Run>(
  parts: LedgerParts,
  call: OperationCall,
  ledgerId: string,
  opening: Opening<Run>,
): Promise<Opened<Run> | null> {
  const { database, planBook } = parts;
  const now = await lookUpWithPeriods(database, planBook, call);
  requireAllowed(call, now);
  const own = now.lastRun?.ledgerId === ledgerId && (await opening.own(now.lastRun));
  if (own) return { run: own, replay: null };
  const replay = await judgeEarlierRun(database, now);
  if (replay) return { run: null, replay };
  await requireAffordable(parts, call, now);
  return null;
}

/**
 * Opens a run. The look-up that came before may be outdated by now, so whenever the statement opens nothing the state is read
 * and judged again; throws what that says (401, 402, 403, 409, 422, 429), and TooLate.
 */
export async function openSurely<Run>(
  parts: LedgerParts,
  call: OperationCall,
  ledgerId: string,
  opening: Opening<Run>,
  inTime: InTime,
): Promise<Opened<Run>> {
  for (let round = 0; round < ROUNDS; round++) {
    const run = await opening.open();
    if (run) return { run, replay: null };
    const opened = await inTime(judgeAgain(parts, call, ledgerId, opening));
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

/** Errors after which the same statement may simply be sent again, or its outcome read. */
export function isPassing(error: unknown): boolean {
  return isOutcomeUnknown(error) || isDatabaseAway(error) || errorCode(error)?.code === DEADLOCK;
}

/** The run of a statement whose outcome is unknown, null where there is none; the 503 where that can't be read. */
export async function readAfterDoubt(
  database: Database,
  { accountId, ledgerId }: ReserveInput,
): Promise<StoredRun | null> {
  for (const waitMs of TRY_AFTER_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const stored = await readRunConfirmed(database, accountId, ledgerId).catch(() => undefined);
    if (stored !== undefined) return stored;
  }
  throw outcomeUnknown(ledgerId);
}

/** What the statement that opens a run of this call is told of it. */
export function runInputOf(
  call: OperationCall,
  found: LookUp,
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
