import { GivenUp } from '../database/coalesce.ts';
import type { Database } from '../database/connect.ts';
import { errorCode, isOutcomeUnknown } from '../database/database-errors.ts';
import { DomainError } from '../domain-error.ts';
import type { ChargeSource } from '../ledger/balance.ts';
import { type ChargeInput, charge } from '../ledger/charge.ts';
import type { LookUp } from '../ledger/look-up.ts';
import type { ReserveInput } from '../ledger/reserve.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { LedgerParts } from './afford-call.ts';
import { type InTime, TooLate } from './deadline.ts';
import type { SettledRun } from './end-run.ts';
import { isPassing, type Opened, openSurely, readAfterDoubt, runInputOf } from './open-surely.ts';
import type { OperationCall } from './operation-call.ts';
import { outcomeUnknown, withinResolution } from './unknown-outcome.ts';

/** 23505: another won the race with the same key. 23514: the subject is not any more what was scored. Nothing was done. */
const UNDONE = new Set(['23505', '23514']);

/** A run that was held and settled at once. */
export interface ChargedRun {
  ledgerId: string;
  source: ChargeSource;
  settled: SettledRun;
}

/**
 * Charges a call whose score is known already: hold and settle in one statement, so that no run stays open, whatever breaks.
 * What became of a charge whose answer was lost is read, never guessed: settled is a success, nothing stored is tried again, out
 * of reach is a 503.
 */
export async function chargeRun(
  { onDoubt, ...parts }: LedgerParts,
  call: OperationCall,
  found: LookUp,
  score: AcceptedScore,
  leaseMs: number,
  inTime: InTime,
): Promise<Opened<ChargedRun>> {
  const input = runInputOf(call, found, score.subjectId, leaseMs);
  let mayCommitLater = false;
  const doubting: LedgerParts = {
    ...parts,
    onDoubt(ledgerId, error) {
      mayCommitLater ||= isOutcomeUnknown(error);
      onDoubt(ledgerId, error);
    },
  };
  const opening = {
    open: () => chargeSurely(doubting, input, score, inTime),
    own: () => withinResolution(input.ledgerId, readCharged(parts.database, input)),
  };
  try {
    return await openSurely(doubting, call, input.ledgerId, opening, inTime);
  } catch (error) {
    // A statement whose line was lost may still wait for a lock and charge later: a refusal would promise otherwise.
    throw mayCommitLater && error instanceof DomainError ? outcomeUnknown(input.ledgerId) : error;
  }
}

/**
 * Unsent when its time is over, a charge is not sent any more; one on its way is waited for: it can't be given back. To find out
 * what became of it is part of it, so that no call waits longer than its time and one resolution.
 */
async function chargeSurely(
  parts: LedgerParts,
  input: ReserveInput,
  score: AcceptedScore,
  inTime: InTime,
): Promise<ChargedRun | null> {
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const charging = chargeOrRead(parts, Object.assign({ score, onSent }, input));
  try {
    return await inTime(charging);
  } catch (error) {
    // A timer may go off a little early: by the clock it could still be sent.
    if (!(error instanceof TooLate) || (!isSent && performance.now() > inTime.until)) throw error;
  }
  return withinResolution(input.ledgerId, charging).catch((error) => {
    throw error instanceof GivenUp ? new TooLate() : error;
  });
}

async function chargeOrRead(parts: LedgerParts, input: ChargeInput): Promise<ChargedRun | null> {
  const { ledgerId } = input;
  try {
    const charged = await charge(parts.database, input);
    if (!charged) return null;
    const { source, balance, scoreVersion } = charged;
    return { ledgerId, source, settled: { balance, scoreVersion } };
  } catch (error) {
    if (UNDONE.has(errorCode(error)?.code ?? '')) return null;
    if (!isPassing(error)) throw error;
    parts.onDoubt(ledgerId, error);
    return isOutcomeUnknown(error) ? readCharged(parts.database, input) : null;
  }
}

async function readCharged(database: Database, input: ReserveInput): Promise<ChargedRun | null> {
  const run = await readAfterDoubt(database, input);
  if (!run?.scoreVersion) return null;
  const { source, balanceAfter, scoreVersion } = run;
  return { ledgerId: input.ledgerId, source, settled: { balance: balanceAfter, scoreVersion } };
}
