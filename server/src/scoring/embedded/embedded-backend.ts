import type { AccountFacts, CreatorFacts, Facts, RepositoryFacts } from '../fact-types.ts';
import { hashInputs, scoreInputs } from '../score-inputs.ts';
import type { BackendScore, ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { accountSignals } from './account-signals.ts';
import type { ActiveCap } from './compute-score.ts';
import { computeScore } from './compute-score.ts';
import { creatorScore } from './creator-signals.ts';
import { EMBEDDED_SOURCE, METHOD, type Method } from './current-method.ts';
import { repositoryScore, type ScoreWithOwn } from './repository-signals.ts';
import { daysSince } from './signal-reading.ts';

/**
 * Scores all five types in this process by the current method, without network access. Reads no clock: ages are
 * computed from the `now` of the request.
 */
export const embeddedBackend: ScoringBackend = {
  source: EMBEDDED_SOURCE,
  async score(request: ScoreRequest): Promise<BackendScore> {
    return scoreByMethod(request);
  },
  scoreSync: (request) => scoreByMethod(request),
};

/**
 * Scores a subject by the signals of its type, with the current method unless another one is given. Throws an Error if
 * the facts do not fit the subject's type.
 */
export function scoreByMethod(request: ScoreRequest, method: Method = METHOD): BackendScore {
  const { own, full } = scoreByType(request, method);
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
    methodVersion: method.version,
    inputsHash: hashInputs(scoreInputs(request)),
    contributions: full.contributions,
    caps: full.caps,
  };
}

function scoreByType({ subject: { type }, facts, now }: ScoreRequest, method: Method): ScoreWithOwn {
  switch (type) {
    case 'agent':
    case 'skill':
      if (!isOfRepository(facts)) throw misfit(type);
      return repositoryScore(facts, type, now, method);
    case 'creator':
      if (!isOfCreator(facts)) throw misfit(type);
      return withoutLineage(creatorScore(facts, now, method));
    case 'social_account':
    case 'messaging_account':
      if (!isOfAccount(facts)) throw misfit(type);
      return withoutLineage(computeScore(accountSignals(facts, type, now), accountCaps(facts, now), now));
  }
}

function withoutLineage(score: ScoreWithOwn['full']): ScoreWithOwn {
  return { own: score, full: score };
}

// Each kind of facts has a member that no other kind has.
const isOfRepository = (facts: Facts): facts is RepositoryFacts => 'parents' in facts;
const isOfCreator = (facts: Facts): facts is CreatorFacts => 'portfolio' in facts;
const isOfAccount = (facts: Facts): facts is AccountFacts => 'crossLink' in facts;

function misfit(type: string): Error {
  return new Error(`${METHOD.version} scores a subject of type ${type} only from facts of that type`);
}

/** Returns the caps that apply to a social or messaging account. Unknown facts cause no cap. */
function accountCaps(facts: AccountFacts, now: Date): ActiveCap[] {
  const { scam_flag, audience_spike, young_account } = METHOD.caps;
  const limits: ActiveCap[] = [];
  if (facts.scamFlag?.value === true) limits.push({ cap: 'scam_flag', limit: scam_flag.limit });
  if (facts.audienceDayGrowth !== null && facts.audienceDayGrowth.value > audience_spike.aboveGrowth) {
    limits.push({ cap: 'audience_spike', limit: audience_spike.limit });
  }
  const createdAt = facts.accountCreatedAt;
  if (createdAt !== null && daysSince(createdAt.value, now) < young_account.underDays) {
    limits.push({ cap: 'young_account', limit: young_account.limit });
  }
  return limits;
}
