import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { Balance } from '../ledger/balance.ts';
import { type FailCode, fail } from '../ledger/fail.ts';
import { readRun, readRunConfirmed } from '../ledger/read-run.ts';
import { reapBucket } from '../ledger/reap.ts';
import type { Reservation } from '../ledger/reserve.ts';
import { settle } from '../ledger/settle.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import type { LedgerParts } from './afford-call.ts';
import { outcomeUnknown, TRY_AFTER_MS, withinResolution } from './unknown-outcome.ts';

export interface SettledRun {
  balance: Balance;
  scoreVersion: string;
}

/** The 502 of a run that was reversed: nothing is charged and the same key may try again. */
function scoringFailed(ledgerId: string): DomainError {
  return new DomainError(
    'scoring_failed',
    'The scoring backend gave no usable score. Nothing was charged; retry with the same idempotency_key.',
    { ledgerId },
  );
}

/**
 * Settles an open run. When the statement's own outcome is unknown or it was fenced, the stored state decides: settled
 * is a success, failed or a lease that is over is a 502, out of reach a 503. Never a guess.
 */
export function settleRun(
  parts: LedgerParts,
  run: Reservation,
  subjectType: SubjectType,
  score: AcceptedScore,
): Promise<SettledRun> {
  return withinResolution(run.ledgerId, settleSurely(parts, run, subjectType, score));
}

async function settleSurely(
  { database, onDoubt }: LedgerParts,
  run: Reservation,
  subjectType: SubjectType,
  score: AcceptedScore,
): Promise<SettledRun> {
  let inDoubt = false;
  const doubt = (error: unknown) => {
    inDoubt = true;
    onDoubt(run.ledgerId, error);
    return null;
  };
  // After a doubt the stored state may be one that a failover would lose: only a confirmed one is told.
  const read = () => (inDoubt ? readRunConfirmed : readRun)(database, run.accountId, run.ledgerId);
  for (const waitMs of TRY_AFTER_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const settled = await settle(database, run, subjectType, score).catch(doubt);
    if (settled) return settled;
    const stored = await read().catch(doubt);
    if (stored?.state === 'settled' && stored.scoreVersion) {
      return { balance: stored.balanceAfter, scoreVersion: stored.scoreVersion };
    }
    if (stored?.state === 'failed') throw scoringFailed(run.ledgerId);
    const lapsed = stored?.state === 'reserved' && stored.leaseOver;
    if (lapsed && (await reaped(database, run).catch(doubt))) throw scoringFailed(run.ledgerId);
  }
  throw outcomeUnknown(run.ledgerId);
}

async function reaped(database: Database, run: Reservation): Promise<boolean> {
  await reapBucket(database, run.accountId, run.bucketId);
  const stored = await readRun(database, run.accountId, run.ledgerId);
  return stored?.state === 'failed';
}

/** Ends an open run as failed and answers the 502 to throw; a 503 where the reversal cannot be confirmed. */
export function failRun(parts: LedgerParts, run: Reservation, code: FailCode): Promise<DomainError> {
  return withinResolution(run.ledgerId, failSurely(parts, run, code)).catch((error: DomainError) => error);
}

async function failSurely(
  { database, onDoubt }: LedgerParts,
  run: Reservation,
  code: FailCode,
): Promise<DomainError> {
  for (const waitMs of TRY_AFTER_MS) {
    if (waitMs > 0) await sleep(waitMs);
    try {
      if (await fail(database, run, code)) return scoringFailed(run.ledgerId);
      const stored = await readRunConfirmed(database, run.accountId, run.ledgerId);
      if (stored?.state === 'failed') return scoringFailed(run.ledgerId);
    } catch (error) {
      onDoubt(run.ledgerId, error);
    }
  }
  return outcomeUnknown(run.ledgerId);
}
