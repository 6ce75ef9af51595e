import type { ChargeSource } from '../access/plans/charge-sources.ts';
import type { BillingContext } from '../billing/ledger/billing-context.ts';
import { type ChargeInput, charge } from '../billing/ledger/charge.ts';
import type { ReserveInput } from '../billing/ledger/reserve.ts';
import { DeadlineExceededError } from '../platform/batching/batcher.ts';
import type { Database } from '../platform/database/connect.ts';
import { errorCode, isOutcomeUnknown } from '../platform/database/database-errors.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import type { AcceptedScore } from '../scoring/scores/accept-score.ts';
import { CallDeadlineExceededError, type Deadline } from './deadline.ts';
import type { SettledRun } from './end-run.ts';
import {
  isTransient,
  type Opened,
  openRunWithRetry,
  outcomeUnknown,
  resolveUnknownOutcome,
  runInputOf,
  withinResolution,
} from './open-run-with-retry.ts';
import type { OperationCall } from './operation-call.ts';
import type { LedgerParts } from './refusal-checks.ts';
import type { RunSignatures } from './run-signatures.ts';

/**
 * SQLSTATEs of errors after which nothing was stored. 23505: a concurrent request with the same idempotency key
 * was first, or another process has just given the subject the same score version. 23514: the subject that was scored
 * no longer exists, or other calls have used up the monthly limit of the access key.
 */
const UNDONE = new Set(['23505', '23514']);

/** A run that was held and settled in one statement. */
export interface ChargedRun {
  ledgerId: string;
  source: ChargeSource;
  settled: SettledRun;
}

/**
 * Charges a call whose score is already known: holds and settles in one statement, so that no failure leaves an open
 * run. If the statement's result is lost, reads the stored run: a settled run is a success, a missing run is retried,
 * an unreachable database is a 503. On one account this settles 1.65 to 3.78 times as many calls per second as the
 * reference ledger (`npm run bench -- metered`, `bench/README.md`). Without the single statement,
 * `charge-run.db.test.ts` fails.
 */
export async function chargeRun(
  { onUnknownOutcome: onDoubt, ...parts }: LedgerParts,
  call: OperationCall,
  found: BillingContext,
  score: AcceptedScore,
  signatures: RunSignatures,
  leaseMs: number,
  withinDeadline: Deadline,
): Promise<Opened<ChargedRun>> {
  const input = runInputOf(call, found, score.subjectId, leaseMs);
  let mayCommitLater = false;
  const tracking: LedgerParts = {
    ...parts,
    onUnknownOutcome(ledgerId, error) {
      mayCommitLater ||= isOutcomeUnknown(error);
      onDoubt(ledgerId, error);
    },
  };
  const opening = {
    open: () => chargeWithRecovery(tracking, input, score, signatures, withinDeadline),
    own: () => withinResolution(input.ledgerId, readCharged(parts.database, input, signatures)),
  };
  try {
    return await openRunWithRetry(tracking, call, input.ledgerId, opening, withinDeadline);
  } catch (error) {
    // After a lost connection the statement may still wait for a lock and charge later, so that a refusal could be
    // wrong.
    throw mayCommitLater && error instanceof DomainError ? outcomeUnknown(input.ledgerId) : error;
  }
}

/**
 * Charges a call within its deadline. A charge whose deadline passes in the queue is dropped; once sent it is awaited,
 * because it cannot be rolled back. The wait includes resolving an unknown outcome, so that a call takes at most its
 * deadline plus one resolution.
 */
async function chargeWithRecovery(
  parts: LedgerParts,
  input: ReserveInput,
  score: AcceptedScore,
  signatures: RunSignatures,
  withinDeadline: Deadline,
): Promise<ChargedRun | null> {
  // Start signing while the call waits for its turn in a batch. `charge` awaits the signature and rejects if signing
  // fails, so ignore the failure here.
  signatures.score().catch(() => undefined);
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const charging = chargeOrRead(
    parts,
    Object.assign({ score, sign: signatures.score, onSent }, input),
    signatures,
  );
  try {
    return await withinDeadline(charging);
  } catch (error) {
    // Timers can fire early; compare with the clock.
    if (
      !(error instanceof CallDeadlineExceededError) ||
      (!isSent && performance.now() > withinDeadline.until)
    )
      throw error;
  }
  return withinResolution(input.ledgerId, charging).catch((error) => {
    throw error instanceof DeadlineExceededError ? new CallDeadlineExceededError() : error;
  });
}

async function chargeOrRead(
  parts: LedgerParts,
  input: ChargeInput,
  signatures: RunSignatures,
): Promise<ChargedRun | null> {
  const { ledgerId } = input;
  try {
    const charged = await charge(parts.database, input);
    if (!charged) return null;
    const { source, balance, scoreVersion } = charged;
    const { signed } = await signatures.score();
    const signature = signatures.of(signed?.sha256 ?? null);
    return { ledgerId, source, settled: { balance, scoreVersion, signature } };
  } catch (error) {
    if (UNDONE.has(errorCode(error)?.code ?? '')) {
      signatures.discard();
      return null;
    }
    if (!isTransient(error)) throw error;
    parts.onUnknownOutcome(ledgerId, error);
    return isOutcomeUnknown(error) ? readCharged(parts.database, input, signatures) : null;
  }
}

async function readCharged(
  database: Database,
  input: ReserveInput,
  signatures: RunSignatures,
): Promise<ChargedRun | null> {
  const run = await resolveUnknownOutcome(database, input);
  if (!run?.scoreVersion) return null;
  const { source, balanceAfter, scoreVersion } = run;
  const signature = signatures.of(run.signatureSha256);
  return { ledgerId: input.ledgerId, source, settled: { balance: balanceAfter, scoreVersion, signature } };
}
