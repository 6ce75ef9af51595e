import { METHODS } from '../../../scoring/embedded/current-method.ts';
import { scoreByMethod } from '../../../scoring/embedded/embedded-backend.ts';
import { inSentence, signalLabel } from '../../../scoring/explanations/signal-labels.ts';
import type { AccountFacts, CreatorFacts, Facts, RepositoryFacts } from '../../../scoring/fact-types.ts';
import type { Contribution, ScoreRequest } from '../../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { formatConfidence, formatPercent, formatTrust, toWords } from '../../components/formatting.tsx';
import { TierChip, TrustLine } from '../../components/score-figures.tsx';
import type { ScoreDetail } from '../score/score-detail.queries.ts';

/** Fixed day on which the examples are scored. */
const DAY = new Date('2026-11-01T12:00:00.000Z');

function daysBefore(days: number): string {
  return new Date(DAY.getTime() - days * 86_400_000).toISOString();
}

function observed<Value>(value: Value) {
  return { value, observedAt: DAY.toISOString(), source: 'example' };
}

/** Facts of an invented, well-maintained skill that its owner has claimed. */
const CLAIMED: RepositoryFacts = {
  verified: observed(true),
  creatorAccounts: observed({
    repoHost: true,
    nodePackages: true,
    pythonPackages: false,
    professionalNetwork: false,
  }),
  creatorAccountCreatedAt: observed(daysBefore(1200)),
  repositoryCreatedAt: daysBefore(300),
  archived: false,
  deprecated: false,
  lastCommitAt: observed(daysBefore(10)),
  openIssues: observed(2),
  stars: observed(40),
  forks: observed(6),
  monthlyDownloads: null,
  license: observed('MIT'),
  metadata: observed({ description: true, tags: true, category: true, homepage: true, skillManifest: null }),
  parents: [],
};

const NOT_CLAIMED: Partial<RepositoryFacts> = {
  verified: observed(false),
  creatorAccounts: null,
  creatorAccountCreatedAt: null,
};

/** Facts of the same skill before a claim, if only its entry, stars and licence are known. */
const UNCLAIMED: RepositoryFacts = {
  ...CLAIMED,
  ...NOT_CLAIMED,
  repositoryCreatedAt: null,
  archived: null,
  deprecated: null,
  lastCommitAt: null,
  openIssues: null,
  forks: null,
};

/** Computes the example scores with the directory's own scoring code. */
export function computeExamples(): { claimed: ScoreDetail; unclaimed: ScoreDetail } {
  return { claimed: scoreExample('skill', CLAIMED), unclaimed: scoreExample('skill', UNCLAIMED) };
}

const NO_CREATOR: CreatorFacts = {
  accounts: null,
  accountCreatedAt: null,
  portfolio: null,
  graphEquity: null,
};

const NO_ACCOUNT: AccountFacts = {
  kind: 'account',
  verifiedMark: null,
  accountCreatedAt: null,
  audience: null,
  audienceDayGrowth: null,
  engagement: null,
  lastPostAt: null,
  crossLink: null,
  scamFlag: null,
};

/** Example facts, each with its scores by all published methods, oldest method first. */
export const EXAMPLES_OF_BOTH_METHODS = [
  { name: 'The skill above, claimed by its owner', facts: CLAIMED },
  { name: 'The same, not claimed', facts: { ...CLAIMED, ...NOT_CLAIMED } },
  { name: 'Only its entry, stars and licence known', facts: UNCLAIMED },
  {
    name: 'Named by one list, nothing else known',
    facts: { ...UNCLAIMED, stars: null, license: null, lists: observed(1) },
  },
].map(({ name, facts }) => ({
  name,
  scores: METHODS.map((method) => scoreByMethod(exampleRequest('skill', facts), method)),
}));

/** Returns all signals of a subject type with their weights, heaviest first. */
export function signalsOf(type: SubjectType): Contribution[] {
  const facts = type === 'creator' ? NO_CREATOR : type.endsWith('account') ? NO_ACCOUNT : UNCLAIMED;
  return scoreExample(type, facts).contributions.toSorted((a, b) => b.weight - a.weight);
}

function scoreExample(type: SubjectType, facts: Facts): ScoreDetail {
  const score = scoreByMethod(exampleRequest(type, facts));
  const version = DAY.toISOString();
  return {
    ...score,
    source: 'embedded',
    version,
    facts,
    factsAt: version,
    readAt: version,
    history: [],
    historyLength: 0,
  };
}

function exampleRequest(type: SubjectType, facts: Facts): ScoreRequest {
  const subject = { id: 'example', type, name: 'example', repository: null };
  return { operation: 'example', runId: null, subject, facts, now: DAY };
}

const inWords = new Intl.ListFormat('en-GB', { type: 'conjunction' });

export function Result({ score }: { score: ScoreDetail }) {
  return (
    <>
      <TrustLine trust={score.trust} lowerBound={score.lowerBound} />
      <p>
        <b>
          Trust {formatTrust(score.trust)} · Confidence {formatConfidence(score.confidence)}
        </b>{' '}
        · at least {formatTrust(score.lowerBound)} · <TierChip tier={score.tier} />
      </p>
    </>
  );
}

export function Unclaimed({ claimed, unclaimed }: { claimed: ScoreDetail; unclaimed: ScoreDetail }) {
  const missing = unclaimed.contributions.filter(({ status }) => status === 'missing');
  const weight = missing.reduce((sum, contribution) => sum + contribution.weight, 0);
  return (
    <section class="card" aria-labelledby="unclaimed">
      <h2 id="unclaimed">Why unclaimed listings score low</h2>
      <p class="prose">
        Most listings come from public lists and are not claimed by their owners. This is the score of the
        same skill if only its entry, stars and licence are known:
      </p>
      <Result score={unclaimed} />
      <p class="prose">
        These signals are missing:{' '}
        {inWords.format(missing.map(({ signal }) => inSentence(signalLabel(signal) ?? toWords(signal))))} (
        {formatPercent(weight / 100)} of the weight). Therefore trust stays near the starting score, and the
        band is wide. Once its repository is read and its owner has proved the account that holds it and an
        npm account, the same skill has trust {formatTrust(claimed.trust)} with confidence{' '}
        {formatConfidence(claimed.confidence)}.
      </p>
    </section>
  );
}
