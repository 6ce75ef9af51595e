import type { AccountFacts } from '../facts/account-facts.ts';
import type { CreatorFacts } from '../facts/creator-facts.ts';
import type { RepositoryFacts } from '../facts/repository-facts.ts';
import { hashInputs, scoreInputs } from '../score-inputs.ts';
import type { BackendScore, Facts, ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { accountLimits } from './account-limits.ts';
import { accountSignals } from './account-signals.ts';
import { creatorSignals } from './creator-signals.ts';
import { frameScore } from './frame.ts';
import { repositoryScore, type ScoreWithOwn } from './repository-score.ts';
import { EMBEDDED_SOURCE, METHOD } from './rs-1.0.0.ts';

/** Scores all five types in this process by method rs-1.0.0: no network, no clock but the request's. */
export const embeddedBackend: ScoringBackend = {
  source: EMBEDDED_SOURCE,
  async score(request: ScoreRequest): Promise<BackendScore> {
    return scoreByMethod(request);
  },
  scoreAtOnce: scoreByMethod,
};

/** The score of a subject by its type's own table. Throws where the facts are not of the kind that the type needs. */
export function scoreByMethod(request: ScoreRequest): BackendScore {
  const { own, full } = scoreByType(request);
  return {
    subjectType: request.subject.type,
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

function scoreByType({ subject: { type }, facts, now }: ScoreRequest): ScoreWithOwn {
  switch (type) {
    case 'agent':
    case 'skill':
      if (!isOfRepository(facts)) throw misfit(type);
      return repositoryScore(facts, type, now);
    case 'creator':
      if (!isOfCreator(facts)) throw misfit(type);
      return withoutLineage(frameScore(creatorSignals(facts, now), [], now));
    case 'social_account':
    case 'messaging_account':
      if (!isOfAccount(facts)) throw misfit(type);
      return withoutLineage(frameScore(accountSignals(facts, type, now), accountLimits(facts, now), now));
  }
}

function withoutLineage(score: ScoreWithOwn['full']): ScoreWithOwn {
  return { own: score, full: score };
}

// Each kind is told by a member that no other has.
const isOfRepository = (facts: Facts): facts is RepositoryFacts => 'parents' in facts;
const isOfCreator = (facts: Facts): facts is CreatorFacts => 'portfolio' in facts;
const isOfAccount = (facts: Facts): facts is AccountFacts => 'crossLink' in facts;

function misfit(type: string): Error {
  return new Error(`${METHOD.version} scores a ${type} only from facts of a ${type}`);
}
