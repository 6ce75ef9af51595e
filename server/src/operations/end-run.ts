import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { Balance } from '../ledger/balance.ts';
import { type FailCode, fail } from '../ledger/fail.ts';
import { readRun } from '../ledger/read-run.ts';
import { reapBucket } from '../ledger/reap.ts';
import type { Reservation } from '../ledger/reserve.ts';
import { settle } from '../ledger/settle.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { outcomeUnknown } from './open-run.ts';

// Waits before each try; three readings within two seconds, then the caller's retry finds out.
const TRY_AFTER_MS = [0, 300, 1500];

export interface SettledRun {
  balance: Balance;
  scoreVersion: string;
}

/** The 502 of a run that was reversed: nothing is charged and the same key may try again. */
export function scoringFailed(ledgerId: string): DomainError {
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
export async function settleRun(
  database: Database,
  run: Reservation,
  subjectType: SubjectType,
  score: AcceptedScore,
): Promise<SettledRun> {
  for (const waitMs of TRY_AFTER_MS) {
    await sleep(waitMs);
    const settled = await settle(database, run, subjectType, score).catch(() => null);
    if (settled) return settled;
    const stored = await readRun(database, run.accountId, run.ledgerId).catch(() => null);
    if (stored?.state === 'settled' && stored.scoreVersion)
      return { balance: stored.balance, scoreVersion: stored.scoreVersion };
    if (stored?.state === 'failed') throw scoringFailed(run.ledgerId);
    if (stored?.state === 'reserved' && stored.leaseOver && (await reaped(database, run)))
      throw scoringFailed(run.ledgerId);
  }
  throw outcomeUnknown(run.ledgerId);
}

async function reaped(database: Database, run: Reservation): Promise<boolean> {
  try {
    await reapBucket(database, run.accountId, run.bucketId);
    const stored = await readRun(database, run.accountId, run.ledgerId);
    return stored?.state === 'failed';
  } catch {
    return false;
  }
}

/** Ends an open run as failed and answers the 502 to throw; a 503 where the reversal cannot be confirmed. */
export async function failRun(database: Database, run: Reservation, code: FailCode): Promise<DomainError> {
  for (const waitMs of TRY_AFTER_MS) {
    await sleep(waitMs);
    try {
      if (await fail(database, run, code)) return scoringFailed(run.ledgerId);
      const stored = await readRun(database, run.accountId, run.ledgerId);
      if (stored?.state === 'failed') return scoringFailed(run.ledgerId);
    } catch {
      // Out of reach just now; the next try reads what became of it.
    }
  }
  return outcomeUnknown(run.ledgerId);
}
