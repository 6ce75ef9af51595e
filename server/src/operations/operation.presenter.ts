import type {
  OperationResponse,
  ScoreEvidence,
  ScoreResult,
  Contribution as WireContribution,
  LineageReport as WireLineage,
} from '../generated/types.gen.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import type { Contribution } from '../scoring/scoring-backend.ts';
import type { ScoreBasis } from '../scoring/verdict/score-basis.ts';
import { presentVerdict } from '../scoring/verdict/verdict.presenter.ts';
import type { RepositorySubject } from '../subjects/resolve-subject.ts';
import { subjectReference } from '../subjects/subject.presenter.ts';
import type { LineageReport } from './lineage-report.ts';
import type { OperationRequest } from './operation-call.ts';
import type { OperationOutcome } from './run-operation.ts';

// A stored score is worth a look again after this; the figure is the method's (expires_at).
const SCORE_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Characters of `2026-11-20T09:14:03`. */
const WHOLE_SECONDS = 19;

/** Nothing personal is ever read out of a subject: a value stands here only where the registry's record states it. */
const NOTHING_STRUCTURED = {
  firstName: null,
  lastName: null,
  email: null,
  city: null,
  state: null,
  country: null,
  company: null,
  jobTitle: null,
};

/** Worked out on whole seconds: a Date would lose the microseconds. */
function expiryOf(scoreVersion: string): string {
  const expiry = new Date(Date.parse(scoreVersion) + SCORE_LIFE_MS).toISOString();
  return expiry.slice(0, WHOLE_SECONDS) + scoreVersion.slice(WHOLE_SECONDS);
}

function evidenceOf({ record }: AcceptedScore, scoreVersion: string): ScoreEvidence {
  return {
    status: 'confirmed',
    source: record.source,
    score_version: scoreVersion,
    freshness: record.freshness,
    expires_at: expiryOf(scoreVersion),
    method_version: record.method_version,
    inputs_hash: record.inputs_hash && `sha256:${record.inputs_hash}`,
    coverage: record.coverage,
    caps: record.caps.map(({ cap, ...figures }) => Object.assign({ name: cap }, figures)),
  };
}

// Each member by its name: to copy the rest takes ten times as long.
function presentContribution(contribution: Contribution): WireContribution {
  const { signal, value, weight, points, evidence, status, source, reason, observedAt } = contribution;
  return { signal, value, weight, points, evidence, status, source, reason, observed_at: observedAt };
}

function presentLineage(
  { id, type, name, repository }: RepositorySubject,
  { creator, relationships, truncated }: LineageReport,
): WireLineage {
  return {
    subject: { id, type, name, repository },
    creator: {
      canonical_id: creator.id,
      handle: creator.handle,
      trust: creator.score?.trust ?? null,
      confidence: creator.score?.confidence ?? null,
      score_status: creator.score ? 'scored' : 'unavailable',
      scored_at: creator.score?.version ?? null,
    },
    relationships,
    ...(truncated && { truncated }),
  };
}

type Settled = OperationOutcome & { kind: 'settled' };

function resultOf(request: OperationRequest, { subject, score, settled }: Settled): ScoreResult {
  return {
    query: { raw: request.subject, structured: NOTHING_STRUCTURED },
    scores: { trustScore: score.record.trust, confidenceScore: score.record.confidence },
    verdict: presentVerdict(score.verdict),
    verification_status: score.record.status,
    mode: 'fast',
    resolved_subject: Object.assign(subjectReference(subject), {
      source: subject.source,
      source_id: subject.sourceId,
    }),
    score_evidence: evidenceOf(score, settled.scoreVersion),
    contributions: score.record.contributions.map(presentContribution),
  };
}

function presentSettled(request: OperationRequest, outcome: Settled): OperationResponse {
  const result = resultOf(request, outcome);
  const receipt = {
    ok: true,
    channel: request.channel,
    resolved_subject: subjectReference(outcome.subject),
    ledger_id: outcome.ledgerId,
    charge_source: outcome.source,
    balance_after: outcome.settled.balance,
    settled: true,
  } as const;
  const { operation, subject, lineage } = outcome;
  if (operation !== 'agent_skill_lineage') return Object.assign(receipt, { operation, result });
  return { ...receipt, operation, result: { ...result, lineage: presentLineage(subject, lineage) } };
}

/** The success envelope of the metered route: a fresh score, a replay without its result, or a price. */
export function presentOperation(request: OperationRequest, outcome: OperationOutcome): OperationResponse {
  const { operation, channel } = request;
  const envelope = { ok: true, operation, channel, result: null } as const;
  switch (outcome.kind) {
    case 'settled':
      return presentSettled(request, outcome);
    case 'replay':
      return Object.assign(envelope, {
        resolved_subject: outcome.subject && subjectReference(outcome.subject),
        ledger_id: outcome.run.ledgerId,
        charge_source: outcome.run.source,
        balance_after: outcome.run.balance,
        settled: true as const,
        idempotent: true as const,
      });
    case 'quote':
      return Object.assign(envelope, {
        dry_run: true as const,
        price_credits: outcome.priceCredits,
        charge_source: outcome.source,
        balance_after: outcome.balance,
        resolved_subject: subjectReference(outcome.subject),
        settled: false as const,
        score_basis: outcome.basis && presentBasis(outcome.basis),
      });
  }
}

/** What a score rests on, under the wire's names. */
function presentBasis({ state, known, total, confidence, text }: ScoreBasis) {
  return { state, signals_known: known, signals_total: total, confidence, text };
}
