import { recordSessionUse } from '../access/callers/session.ts';
import type { ChargeSource } from '../access/plans/charge-sources.ts';
import type { Operation } from '../access/plans/plans.ts';
import type { Balance } from '../billing/ledger/account-buckets.ts';
import type { BillingContext, LastRun } from '../billing/ledger/billing-context.ts';
import { readRunConfirmed } from '../billing/ledger/read-run.ts';
import { quote } from '../billing/ledger/reserve.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import {
  isInRepository,
  type RepositorySubject,
  type ResolvedSubject,
  toResolved,
} from '../catalog/subjects/resolve-subject.ts';
import { loadSubjects } from '../catalog/subjects/subject.presenter.ts';
import type { Connection } from '../platform/database/connect.ts';
import { DomainError } from '../platform/errors/domain-error.ts';
import { loadScoreBasis, type ScoreBasis } from '../scoring/explanations/explain-score.ts';
import type { SubjectFacts } from '../scoring/facts/facts-kind.ts';
import { followUpChargedScore } from '../scoring/queue/enqueue-scoring.ts';
import type { AcceptedScore } from '../scoring/scores/accept-score.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring/scoring-backend.ts';
import type { ScoreSigner } from '../scoring/signing/score-signer.ts';
import { askBackend, type BackendTimings, ScoringFailed, scoreSync } from './ask-backend.ts';
import type { CallContext } from './call-context.ts';
import { type ChargedRun, chargeRun } from './charge-run.ts';
import { failRun, type SettledRun, settleRun } from './end-run.ts';
import { type LineageReport, lineageReport } from './lineage-report.queries.ts';
import { openRun } from './open-run.ts';
import type { Opened } from './open-run-with-retry.ts';
import { outcomeUnknown, withinResolution } from './open-run-with-retry.ts';
import type { OperationCall } from './operation-call.ts';
import { METERED_OPERATIONS } from './operation-call.ts';
import { insufficientCredits, type LedgerParts, requireSubject } from './refusal-checks.ts';
import { runChecks } from './refusal-order.ts';
import { createRunSignatures, type RunSignatures } from './run-signatures.ts';

export interface OperationParts extends LedgerParts {
  backend: ScoringBackend;
  publicUrls: PublicUrls;
  /** Null if scores are not signed. */
  signer: ScoreSigner | null;
  /** `holdMs`: time for all steps up to the hold. `leaseMs`: time after which an open run, and its hold, expire. */
  timings: BackendTimings & { leaseMs: number; holdMs: number };
  /** Called with the reason why the backend gave no usable score, to log it; the client does not get this reason. */
  onScoringFailure(ledgerId: string, failure: ScoringFailed): void;
}

/** The scored subject, with its lineage report for a lineage operation. */
type Scored =
  | { operation: Exclude<Operation, 'agent_skill_lineage'>; subject: ResolvedSubject; lineage: null }
  | { operation: 'agent_skill_lineage'; subject: RepositorySubject; lineage: LineageReport };

/** Outcome of a call: charged and scored, replayed, or a price only. */
export type OperationOutcome =
  | ({
      kind: 'settled';
      ledgerId: string;
      source: ChargeSource;
      score: AcceptedScore;
      settled: SettledRun;
    } & Scored)
  | { kind: 'replay'; run: LastRun; subject: ResolvedSubject | null }
  | {
      kind: 'quote';
      priceCredits: number;
      source: ChargeSource;
      balance: Balance;
      subject: ResolvedSubject;
      /** Basis of the subject's current score; null if it has none. */
      basis: ScoreBasis | null;
    };

/**
 * Runs one metered call from authorization to receipt: replays a settled call, resolves the subject, holds the price,
 * requests the score without holding locks, and settles or reverses. If the backend answers synchronously, the score is
 * requested first, and one statement holds and settles. Charges at most once per idempotency key, even if a process or
 * the database crashes.
 */
export async function runOperation(
  parts: OperationParts,
  identified: CallContext,
): Promise<OperationOutcome> {
  const ready = await identified.withinDeadline(prepareCall(parts, identified));
  if (ready.kind !== 'ready') return ready;

  const { scored, scoreRequest } = ready;
  const known = scoreSync(parts.backend, scoreRequest);
  const charged = await (known
    ? chargeInOneStep(parts, identified, known)
    : holdAndCharge(parts, identified, ready));
  if (charged.replay) return replay(parts, identified, charged.replay);

  const { run } = charged;
  // Not awaited, because the call is already settled. If this write is lost, the queue entry remains, and an outdated
  // score still expires after its lifetime.
  followUpChargedScore(parts.database, {
    id: scored.subject.id,
    factsReadAt: scoreRequest.now,
    version: run.settled.scoreVersion,
    queueEntry: identified.found.queueEntry,
  }).catch((error) => parts.onUnknownOutcome(run.ledgerId, error));
  return Object.assign({ kind: 'settled' as const }, run, scored);
}

interface ScoredRun extends ChargedRun {
  score: AcceptedScore;
}

async function chargeInOneStep(
  parts: OperationParts,
  { call, caller, withinDeadline }: CallContext,
  score: AcceptedScore,
): Promise<Opened<ScoredRun>> {
  const { run, replay: raced } = await chargeRun(
    parts,
    call,
    caller,
    score,
    createRunSignatures(parts.signer, score),
    parts.timings.leaseMs,
    withinDeadline,
  );
  return run ? { run: Object.assign(run, { score }), replay: null } : { run, replay: raced };
}

async function holdAndCharge(
  parts: OperationParts,
  { call, caller, withinDeadline }: CallContext,
  { scored: { subject }, scoreRequest }: Ready,
): Promise<Opened<ScoredRun>> {
  const { timings } = parts;
  const opened = await openRun(parts, call, caller, subject.id, timings.leaseMs, withinDeadline);
  if (!opened.run) return opened;

  const { ledgerId, source } = opened.run;
  let score: AcceptedScore;
  let signatures: RunSignatures;
  try {
    score = await askBackend(parts.backend, { ...scoreRequest, runId: ledgerId }, timings);
    signatures = createRunSignatures(parts.signer, score);
    // Sign before settling: a score that cannot be signed cannot be returned, so fail the run and release its hold.
    await signatures.score();
  } catch (error) {
    const failure = error instanceof ScoringFailed ? error : new ScoringFailed('upstream', error);
    parts.onScoringFailure(ledgerId, failure);
    throw await failRun(parts, opened.run, failure.code);
  }
  const settled = await settleRun(parts, opened.run, subject.type, signatures);
  return { run: { ledgerId, source, score, settled }, replay: null };
}

interface Ready extends Known {
  kind: 'ready';
}

/**
 * Runs the steps before the hold: checks the call, replays a settled run, resolves the subject and prices a dry run.
 * Charges nothing, so it may be abandoned at the deadline.
 */
async function prepareCall(
  parts: OperationParts,
  identified: CallContext,
): Promise<Ready | OperationOutcome> {
  const { database, publicUrls } = parts;
  const { call, caller, found } = identified;
  const { request } = call;
  await runChecks('caller', parts, call, caller);
  await recordSessionUse(database, caller);
  const earlier = await runChecks('state', parts, call, caller);
  if (earlier) return replay(parts, identified, earlier);
  const subject = await requireSubject(database, request, publicUrls, found.subjects);
  if (request.dryRun) return priceOf(parts, caller, call, subject);
  // Loads the lineage report before the hold, so that no read from the directory can fail afterwards.
  return Object.assign({ kind: 'ready' as const }, await loadKnown(parts, call, subject, found.facts));
}

async function replay(
  { database, publicUrls }: OperationParts,
  { call, caller, found }: CallContext,
  earlier: LastRun,
): Promise<OperationOutcome> {
  const { subjectTypes } = METERED_OPERATIONS[call.request.operation];
  const run = earlier.unconfirmed ? await confirmed(database, caller, earlier) : earlier;
  const listed = found.subjects.find(({ id }) => id === run.subjectId);
  if (listed) return { kind: 'replay', run, subject: toResolved(listed, publicUrls) };
  // The receipt remains available if its subject no longer exists.
  const asked = subjectTypes.map((type) => ({ id: run.subjectId, type }));
  const subject = (await loadSubjects(database, asked, publicUrls)).get(run.subjectId) ?? null;
  return { kind: 'replay', run, subject };
}

/** Returns the settled run if a standby has confirmed it, so that a failover cannot lose it; otherwise throws 503. */
async function confirmed(
  database: Connection,
  { accountId }: BillingContext,
  run: LastRun,
): Promise<LastRun> {
  const { ledgerId } = run;
  const reading = withinResolution(ledgerId, readRunConfirmed(database, accountId, ledgerId));
  const stored = await reading.catch(() => null);
  if (stored?.state !== 'settled') throw outcomeUnknown(ledgerId);
  return { ...run, balance: stored.balance };
}

async function priceOf(
  { database, planBook }: OperationParts,
  found: BillingContext,
  call: OperationCall,
  subject: ResolvedSubject,
): Promise<OperationOutcome> {
  const { priceCredits } = call;
  const payer = await quote(database, found.accountId, priceCredits);
  if (!payer) throw insufficientCredits(planBook, found);
  return {
    kind: 'quote',
    priceCredits,
    ...payer,
    subject,
    basis: await loadScoreBasis(database, subject.id),
  };
}

interface Known {
  scoreRequest: ScoreRequest;
  scored: Scored;
}

/**
 * Builds the request to the backend from the subject's facts, and loads the lineage report if the operation returns
 * one. Throws 404 if the subject was just removed.
 */
async function loadKnown(
  { database, publicUrls }: OperationParts,
  { request: { operation } }: OperationCall,
  subject: ResolvedSubject,
  facts: SubjectFacts | null,
): Promise<Known> {
  const scored = facts && (await scoredBy(database, publicUrls, operation, subject));
  if (!scored) {
    throw new DomainError('subject_not_found', 'The subject was just removed from the directory.');
  }
  return { scoreRequest: Object.assign({ operation, runId: null }, facts), scored };
}

async function scoredBy(
  connection: Connection,
  publicUrls: PublicUrls,
  operation: Operation,
  subject: ResolvedSubject,
): Promise<Scored | null> {
  if (operation !== 'agent_skill_lineage') return { operation, subject, lineage: null };
  if (!isInRepository(subject)) return null;
  const lineage = await lineageReport(connection, subject.id, publicUrls);
  return lineage && { operation, subject, lineage };
}
