import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { Balance, ChargeSource } from '../ledger/balance.ts';
import type { LastRun, LookUp } from '../ledger/look-up.ts';
import { quote } from '../ledger/quote.ts';
import { readRunConfirmed } from '../ledger/read-run.ts';
import type { Operation } from '../plans/plans.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { SubjectFacts } from '../scoring/facts/subject-facts.ts';
import { noteChargedScore } from '../scoring/note-score-due.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring/scoring-backend.ts';
import { loadScoreBasis } from '../scoring/verdict/load-score-basis.ts';
import type { ScoreBasis } from '../scoring/verdict/score-basis.ts';
import { loadSubjects } from '../subjects/load-subjects.ts';
import type { Naming } from '../subjects/naming.ts';
import {
  isInRepository,
  type RepositorySubject,
  type ResolvedSubject,
  toResolved,
} from '../subjects/resolve-subject.ts';
import { admitCall } from './admit-call.ts';
import { insufficientCredits, type LedgerParts, requireAffordable } from './afford-call.ts';
import { askBackend, type BackendTimings, type ScoringFailed, scoreAtOnce } from './ask-backend.ts';
import { type ChargedRun, chargeRun } from './charge-run.ts';
import { judgeEarlierRun } from './earlier-run.ts';
import { failRun, type SettledRun, settleRun } from './end-run.ts';
import type { IdentifiedCall } from './identify-call.ts';
import { type LineageReport, lineageReport } from './lineage-report.ts';
import { METERED_OPERATIONS } from './metered-operation.ts';
import { openRun } from './open-run.ts';
import type { Opened } from './open-surely.ts';
import type { OperationCall } from './operation-call.ts';
import { requireSubject } from './require-subject.ts';
import { outcomeUnknown, withinResolution } from './unknown-outcome.ts';

export interface OperationParts extends LedgerParts {
  backend: ScoringBackend;
  naming: Naming;
  /** `holdMs`: how long a call may wait for sessions and locks until its hold stands. */
  timings: BackendTimings & { leaseMs: number; holdMs: number };
  /** Told why the backend's answer was not usable; the caller never is. */
  onScoringFailure(ledgerId: string, failure: ScoringFailed): void;
}

/** What is scored, and with a lineage operation where it comes from. */
type Scored =
  | { operation: Exclude<Operation, 'agent_skill_lineage'>; subject: ResolvedSubject; lineage: null }
  | { operation: 'agent_skill_lineage'; subject: RepositorySubject; lineage: LineageReport };

/** What a call came to: charged and scored, answered before, or only asked for its price. */
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
      /** What the subject's present score rests on; null without one. */
      basis: ScoreBasis | null;
    };

/**
 * One metered call of a known caller to the receipt: admit, answer what is answered already, resolve, then hold, ask the
 * backend without any lock, and settle or reverse. A backend that answers at once is asked first, and hold and settle are one.
 * Charged at most once per idempotency key, in any crash.
 */
export async function runOperation(
  parts: OperationParts,
  identified: IdentifiedCall,
): Promise<OperationOutcome> {
  const ready = await identified.inTime(makeReady(parts, identified));
  if (ready.kind !== 'ready') return ready;

  const { scored, scoreRequest } = ready;
  const atOnce = scoreAtOnce(parts.backend, scoreRequest);
  const charged = await (atOnce
    ? chargeAtOnce(parts, identified, atOnce)
    : holdAndCharge(parts, identified, ready));
  if (charged.replay) return replay(parts, identified, charged.replay);

  const { run } = charged;
  // Not waited for: the answer is settled, and should this be lost the score still expires in its time.
  noteChargedScore(parts.database, {
    id: scored.subject.id,
    factsReadAt: scoreRequest.now,
    version: run.settled.scoreVersion,
    dueNote: identified.found.dueNote,
  }).catch((error) => parts.onDoubt(run.ledgerId, error));
  return Object.assign({ kind: 'settled' as const }, run, scored);
}

interface ScoredRun extends ChargedRun {
  score: AcceptedScore;
}

async function chargeAtOnce(
  parts: OperationParts,
  { call, caller, inTime }: IdentifiedCall,
  score: AcceptedScore,
): Promise<Opened<ScoredRun>> {
  const { run, replay: raced } = await chargeRun(parts, call, caller, score, parts.timings.leaseMs, inTime);
  return run ? { run: Object.assign(run, { score }), replay: null } : { run, replay: raced };
}

async function holdAndCharge(
  parts: OperationParts,
  { call, caller, inTime }: IdentifiedCall,
  { scored: { subject }, scoreRequest }: Ready,
): Promise<Opened<ScoredRun>> {
  const { timings } = parts;
  const opened = await openRun(parts, call, caller, subject.id, timings.leaseMs, inTime);
  if (!opened.run) return opened;

  const { ledgerId, source } = opened.run;
  let score: AcceptedScore;
  try {
    score = await askBackend(parts.backend, { ...scoreRequest, runId: ledgerId }, timings);
  } catch (error) {
    const failure = error as ScoringFailed;
    parts.onScoringFailure(ledgerId, failure);
    throw await failRun(parts, opened.run, failure.code);
  }
  const settled = await settleRun(parts, opened.run, subject.type, score);
  return { run: { ledgerId, source, score, settled }, replay: null };
}

interface Ready extends Known {
  kind: 'ready';
}

/**
 * Everything before the hold: admits the call, answers what is answered already, finds the subject. Nothing of it charges,
 * so that it may be left alone when it takes too long.
 */
async function makeReady(
  parts: OperationParts,
  identified: IdentifiedCall,
): Promise<Ready | OperationOutcome> {
  const { database, naming } = parts;
  const { call, caller, found } = identified;
  const { request } = call;
  await admitCall(database, call, caller);
  const earlier = request.dryRun ? null : await judgeEarlierRun(database, caller);
  if (earlier) return replay(parts, identified, earlier);
  await requireAffordable(parts, call, caller);
  const subject = await requireSubject(database, request, naming, found.subjects);
  if (request.dryRun) return priceOf(parts, caller, call, subject);
  // All that the answer needs of the registry is read before anything is held: past that, only the score can fail.
  return Object.assign({ kind: 'ready' as const }, await knownOf(parts, call, subject, found.facts));
}

async function replay(
  { database, naming }: OperationParts,
  { call, caller, found }: IdentifiedCall,
  earlier: LastRun,
): Promise<OperationOutcome> {
  const { subjectTypes } = METERED_OPERATIONS[call.request.operation];
  const run = earlier.unconfirmed ? await confirmed(database, caller, earlier) : earlier;
  const still = found.subjects.find(({ id }) => id === run.subjectId);
  if (still) return { kind: 'replay', run, subject: toResolved(still, naming) };
  // A subject that has since vanished does not take its receipt with it.
  const asked = subjectTypes.map((type) => ({ id: run.subjectId, type }));
  const subject = (await loadSubjects(database, asked, naming)).get(run.subjectId) ?? null;
  return { kind: 'replay', run, subject };
}

/** A settled run as it stands for good, so that a failover can't lose what is told of it; else the 503. */
async function confirmed(database: Connection, { accountId }: LookUp, run: LastRun): Promise<LastRun> {
  const { ledgerId } = run;
  const reading = withinResolution(ledgerId, readRunConfirmed(database, accountId, ledgerId));
  const stored = await reading.catch(() => null);
  if (stored?.state !== 'settled') throw outcomeUnknown(ledgerId);
  return { ...run, balance: stored.balance };
}

async function priceOf(
  { database, planBook }: OperationParts,
  found: LookUp,
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

/** What the registry knows of the subject, as the backend is told it, and where it comes from if that is asked. */
async function knownOf(
  { database, naming }: OperationParts,
  { request: { operation } }: OperationCall,
  subject: ResolvedSubject,
  facts: SubjectFacts | null,
): Promise<Known> {
  const scored = facts && (await scoredBy(database, naming, operation, subject));
  if (!scored) {
    throw new DomainError('subject_not_found', 'The subject was just taken out of the directory.');
  }
  return { scoreRequest: Object.assign({ operation, runId: null }, facts), scored };
}

async function scoredBy(
  connection: Connection,
  naming: Naming,
  operation: Operation,
  subject: ResolvedSubject,
): Promise<Scored | null> {
  if (operation !== 'agent_skill_lineage') return { operation, subject, lineage: null };
  if (!isInRepository(subject)) return null;
  const lineage = await lineageReport(connection, subject.id, naming);
  return lineage && { operation, subject, lineage };
}
