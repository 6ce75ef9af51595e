import { setTimeout as sleep } from 'node:timers/promises';
import type { Balance } from '../billing/ledger/account-buckets.ts';
import { type FailCode, fail } from '../billing/ledger/fail.ts';
import { readRun, readRunConfirmed } from '../billing/ledger/read-run.ts';
import { reapBucket } from '../billing/ledger/reap.ts';
import type { Reservation } from '../billing/ledger/reserve.ts';
import { settle } from '../billing/ledger/settle.ts';
import type { Database } from '../platform/database/connect.ts';
import { errorCode } from '../platform/database/database-errors.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { SubjectType } from '../scoring/subject-type.ts';
import { outcomeUnknown, RETRY_DELAYS_MS, withinResolution } from './open-run-with-retry.ts';
import type { LedgerParts } from './refusal-checks.ts';
import type { RunSignature, RunSignatures } from './run-signatures.ts';

export interface SettledRun {
  balance: Balance;
  scoreVersion: string;
  /** Null if scores are not signed. */
  signature: RunSignature | null;
}

/** SQLSTATE of a duplicate score version: another process has just stored a score of the subject with this version. */
const UNIQUE_VIOLATION = '23505';

/** Creates the 502 of a failed run: nothing is charged, and the call may be retried with the same idempotency key. */
function scoringFailed(ledgerId: string): DomainError {
  return new DomainError(
    'scoring_failed',
    'The scoring backend gave no usable score. Nothing was charged; retry with the same idempotency_key.',
    { ledgerId },
  );
}

/**
 * Settles an open run, in at most three attempts. If the statement fails or the run was no longer open, reads the
 * stored run: a settled run is a success, a failed run or an expired lease is a 502, and an open run is tried again.
 * Throws a 503 if the outcome stays unknown or if this takes too long.
 */
export function settleRun(
  parts: LedgerParts,
  run: Reservation,
  subjectType: SubjectType,
  signatures: RunSignatures,
): Promise<SettledRun> {
  return withinResolution(run.ledgerId, settleWithRecovery(parts, run, subjectType, signatures));
}

async function settleWithRecovery(
  { database, onUnknownOutcome: onDoubt }: LedgerParts,
  run: Reservation,
  subjectType: SubjectType,
  signatures: RunSignatures,
): Promise<SettledRun> {
  let isUnknown = false;
  const unknown = (error: unknown) => {
    isUnknown = true;
    onDoubt(run.ledgerId, error);
    if (errorCode(error)?.code === UNIQUE_VIOLATION) signatures.discard();
    return null;
  };
  // After an unknown outcome, a failover could still lose the stored state. Report only a state that a standby confirmed.
  const read = () => (isUnknown ? readRunConfirmed : readRun)(database, run.accountId, run.ledgerId);
  for (const waitMs of RETRY_DELAYS_MS) {
    if (waitMs > 0) await sleep(waitMs);
    const score = await signatures.score();
    const settled = await settle(database, run, subjectType, score).catch(unknown);
    if (settled) return { ...settled, signature: signatures.of(score.signed?.sha256 ?? null) };
    const stored = await read().catch(unknown);
    if (stored?.state === 'settled' && stored.scoreVersion) {
      const signature = signatures.of(stored.signatureSha256);
      return { balance: stored.balanceAfter, scoreVersion: stored.scoreVersion, signature };
    }
    if (stored?.state === 'failed') throw scoringFailed(run.ledgerId);
    const lapsed = stored?.state === 'reserved' && stored.leaseOver;
    if (lapsed && (await reaped(database, run).catch(unknown))) throw scoringFailed(run.ledgerId);
  }
  throw outcomeUnknown(run.ledgerId);
}

async function reaped(database: Database, run: Reservation): Promise<boolean> {
  await reapBucket(database, run.accountId, run.bucketId);
  const stored = await readRun(database, run.accountId, run.ledgerId);
  return stored?.state === 'failed';
}

/** Ends an open run as failed and returns the 502 to throw, or a 503 if the reversal cannot be confirmed. */
export function failRun(parts: LedgerParts, run: Reservation, code: FailCode): Promise<DomainError> {
  return withinResolution(run.ledgerId, failWithRecovery(parts, run, code)).catch(
    (error: DomainError) => error,
  );
}

async function failWithRecovery(
  { database, onUnknownOutcome: onDoubt }: LedgerParts,
  run: Reservation,
  code: FailCode,
): Promise<DomainError> {
  for (const waitMs of RETRY_DELAYS_MS) {
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
