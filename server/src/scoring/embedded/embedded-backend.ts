import type { Parent, RepositoryFacts } from '../repository-facts.ts';
import { hashInputs, scoreInputs } from '../score-inputs.ts';
import type { BackendScore, ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { type FramedScore, frameScore, type Reading } from './frame.ts';
import { exactEquityFlow } from './lineage-equity.ts';
import { repositoryLimits } from './repository-limits.ts';
import { lineageSignal, repositorySignals } from './repository-signals.ts';
import { EMBEDDED_SOURCE, METHOD } from './rs-1.0.0.ts';

/** Scores agents and skills in this process by method rs-1.0.0: no network, no clock but the request's. */
export const embeddedBackend: ScoringBackend = {
  source: EMBEDDED_SOURCE,
  async score(request: ScoreRequest): Promise<BackendScore> {
    return scoreRepository(request);
  },
};

/** The score of an agent or skill. Throws for any other type: one type's score never stands in for another's. */
export function scoreRepository(request: ScoreRequest): BackendScore {
  const { type } = request.subject;
  if (type !== 'agent' && type !== 'skill') throw new Error(`${METHOD.version} has no signals for a ${type}`);
  const { own, full } = frameWithLineage(request.facts, type, request.now);
  return {
    subjectType: type,
    trust: full.trust,
    confidence: full.confidence,
    lowerBound: full.lowerBound,
    tier: full.tier,
    ownTrust: own.trust,
    ownConfidence: own.confidence,
    status: full.status,
    freshness: full.freshness,
    coverage: full.coverage,
    methodVersion: METHOD.version,
    inputsHash: hashInputs(scoreInputs(request)),
    contributions: full.contributions,
    caps: full.caps,
  };
}

// Lineage is weighed only where it raises trust: otherwise hiding a parent would pay.
function frameWithLineage(
  facts: RepositoryFacts,
  type: 'agent' | 'skill',
  now: Date,
): { own: FramedScore; full: FramedScore } {
  const signals = repositorySignals(facts, type, now);
  const limits = repositoryLimits(facts, now);
  const frame = (lineage: Reading) => frameScore([...signals, lineageSignal(lineage)], limits, now);
  const inherited = inheritedEquity(facts.parents);
  const own = frame(inherited.status === 'observed' ? NOT_RAISING : inherited);
  if (inherited.status !== 'observed') return { own, full: own };
  const full = frame(inherited);
  return { own, full: full.exactTrust > own.exactTrust ? full : own };
}

const NOT_RAISING: Reading = {
  status: 'not_applicable',
  reason: "the parent's equity would not raise trust",
};

/** The most that any one parent hands down. */
function inheritedEquity(parents: readonly Parent[]): Reading {
  if (parents.length === 0) return { status: 'not_applicable', reason: 'no parent is known' };
  let best: Reading = { status: 'not_applicable', reason: 'no parent has a confirmed score' };
  for (const { score, acknowledged } of parents) {
    if (score === null) continue;
    const value = exactEquityFlow(score, acknowledged) / 100;
    if (best.status === 'observed' && best.value >= value) continue;
    const { evidence } = METHOD.repository.lineage;
    best = { status: 'observed', value, evidence, observedAt: score.version, source: 'registry' };
  }
  return best;
}
