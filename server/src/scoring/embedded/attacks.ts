import type { CreatorFacts, Facts, Observed, Parent, RepositoryFacts } from '../fact-types.ts';
import type { SubjectType } from '../subject-type.ts';
import { computeGraphEquity } from './creator-graph.ts';
import { METHOD } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';

/**
 * An attempt to raise a score without being more trustworthy, or to lower the score of another, with the facts before and
 * after the attempt.
 */
interface Attack {
  readonly name: string;
  /** Cost of the attempt. */
  readonly cost: string;
  /** Rules of the method that limit the gain. */
  readonly defence: string;
  readonly type: SubjectType;
  readonly before: Facts;
  readonly after: Facts;
  /** Maximum gain in points of trust. */
  readonly gainAtMost: number;
  /** Maximum loss in points of trust, for an attempt to lower the score of another. */
  readonly lossAtMost?: number;
  /** Maximum gain in points of confidence. An attack that adds facts raises confidence, because more is known. */
  readonly confidenceGainAtMost: number;
}

/** Day on which all attacks are scored. */
const DAY = new Date('2026-11-01T12:00:00.000Z');

function daysBefore(days: number): string {
  return new Date(DAY.getTime() - days * 86_400_000).toISOString();
}

function seen<Value>(value: Value): Observed<Value> {
  return { value, observedAt: DAY.toISOString(), source: 'example' };
}

/** A small repository of an owner who has not claimed it. */
const SMALL: RepositoryFacts = {
  verified: seen(false),
  creatorAccounts: null,
  creatorAccountCreatedAt: null,
  repositoryCreatedAt: daysBefore(200),
  archived: false,
  deprecated: null,
  lastCommitAt: seen(daysBefore(30)),
  openIssues: seen(4),
  stars: seen(30),
  forks: seen(3),
  monthlyDownloads: null,
  license: seen('MIT'),
  metadata: seen({ description: true, tags: false, category: true, homepage: false, skillManifest: null }),
  parents: [],
  lists: seen(1),
};

/** A repository that is well known and widely used. */
const FAMOUS: RepositoryFacts = {
  ...SMALL,
  repositoryCreatedAt: daysBefore(1_200),
  lastCommitAt: seen(daysBefore(2)),
  openIssues: seen(300),
  stars: seen(25_000),
  forks: seen(2_400),
  lists: seen(8),
};

/** A repository that was created a day ago, with the texts of another repository. */
const NEW: RepositoryFacts = {
  ...SMALL,
  repositoryCreatedAt: daysBefore(1),
  lastCommitAt: seen(daysBefore(0)),
  openIssues: seen(0),
  stars: seen(0),
  forks: seen(0),
};

/** Facts of a popular package that does not name the repository, so that the facts lack `packageConfirmed`. */
const POPULAR_PACKAGE: RepositoryFacts['observed'] = [
  {
    fact: 'published_package',
    ...seen({
      version: '9.0.0',
      releasedAt: daysBefore(3),
      provenance: 'attested' as const,
      deprecated: false,
      monthlyDownloads: 40_000_000,
    }),
  },
];

const UNKNOWN_CREATOR: CreatorFacts = {
  accounts: seen({ repoHost: true, nodePackages: false, pythonPackages: false, professionalNetwork: false }),
  accountCreatedAt: seen(daysBefore(200)),
  portfolio: { listings: 1, confidence: 0.4, weightedTrust: 0.16, observedAt: DAY.toISOString() },
  graphEquity: null,
};

/** Returns a parent with its score, which is computed from `facts` without the lineage signal. */
function parentOf(facts: RepositoryFacts, acknowledged: boolean): Parent {
  const { ownTrust, ownConfidence } = scoreOf('skill', facts);
  return { id: 'parent', score: { ownTrust, ownConfidence, version: DAY.toISOString() }, acknowledged };
}

/** Returns the equity of a creator in a ring of two that link only to each other. Other creators are pre-trusted. */
function equityOfRing(): number {
  const edges = [
    { from: 'ring-1', to: 'ring-2', count: 50 },
    { from: 'ring-2', to: 'ring-1', count: 50 },
    { from: 'known-1', to: 'known-2', count: 1 },
  ];
  return computeGraphEquity(edges, ['known-1', 'known-2'])?.get('ring-1') ?? 0;
}

/**
 * Attacks against which the method is tested. The page about the method shows them, and tests check that no gain
 * exceeds `gainAtMost` or `confidenceGainAtMost`, and no loss `lossAtMost`.
 */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'Bought stars',
    cost: '5,000 stars: a few hundred dollars',
    defence: `at most ${METHOD.repository.starsPerFork} stars per fork and ${METHOD.repository.starsPerDay} per day of age count, on a logarithmic scale`,
    type: 'skill',
    before: SMALL,
    after: { ...SMALL, stars: seen(5_000) },
    gainAtMost: 9,
    confidenceGainAtMost: 0,
  },
  {
    name: 'Colluding ring',
    cost: 'two accounts, whose repositories name each other as parents',
    defence:
      'creator rank starts only from creators with two proved accounts and an account at least one year old; a ring that they do not link to gets no rank',
    type: 'creator',
    before: UNKNOWN_CREATOR,
    after: { ...UNKNOWN_CREATOR, graphEquity: seen(equityOfRing()) },
    gainAtMost: 0,
    confidenceGainAtMost: 15,
  },
  {
    name: 'Laundering chain',
    cost: 'an intermediate copy that names a famous parent',
    defence:
      'a parent passes on only the trust that it has without its own lineage, and half of that if its owner has not acknowledged the link',
    type: 'skill',
    before: NEW,
    after: { ...NEW, parents: [parentOf({ ...NEW, parents: [parentOf(FAMOUS, false)] }, true)] },
    gainAtMost: 0,
    confidenceGainAtMost: 0,
  },
  {
    name: 'Resurrected name',
    cost: 'taking the freed name of a famous repository: nothing',
    defence:
      "the host's immutable id decides: the new repository is a new subject with its own facts, except for the lists that name it",
    type: 'skill',
    before: NEW,
    // The lists that named the famous repository now seem to name the new one, because lists state names and no ids.
    after: { ...NEW, lists: seen(8) },
    gainAtMost: 6,
    confidenceGainAtMost: 2,
  },
  {
    name: 'Emptied tracker',
    cost: 'closing all issues: minutes',
    defence: `no open issue counts ${METHOD.repository.issue_load.noneOpen}, less than a tracker with few open issues`,
    type: 'skill',
    before: { ...SMALL, openIssues: seen(60) },
    after: { ...SMALL, openIssues: seen(0) },
    gainAtMost: 6,
    confidenceGainAtMost: 0,
  },
  {
    name: 'Copied repository',
    cost: 'a clone under another name: minutes',
    defence: 'age, stars, forks and commits are those of the copy, and trust in a young repository is capped',
    type: 'skill',
    before: NEW,
    after: { ...NEW, parents: [parentOf(FAMOUS, false)] },
    gainAtMost: 1,
    confidenceGainAtMost: 2,
  },
  {
    name: 'Name squatting',
    cost: "naming a stranger's package in a list, or publishing a package that names a stranger's repository",
    defence: 'a package counts only if its registry and the repository name each other',
    type: 'skill',
    before: { ...SMALL, stars: null },
    after: { ...SMALL, stars: null, observed: POPULAR_PACKAGE },
    gainAtMost: 0,
    confidenceGainAtMost: 0,
  },
  {
    name: 'Self-reported facts',
    cost: 'a description, tags and a homepage: minutes',
    defence: 'such texts have a small weight',
    type: 'skill',
    before: {
      ...SMALL,
      metadata: seen({
        description: false,
        tags: false,
        category: false,
        homepage: false,
        skillManifest: null,
      }),
    },
    after: {
      ...SMALL,
      metadata: seen({ description: true, tags: true, category: true, homepage: true, skillManifest: null }),
    },
    gainAtMost: 5,
    confidenceGainAtMost: 0,
  },
  {
    name: 'Slander by a list',
    cost: "an entry in a list that says of another's repository that it is archived",
    defence:
      'such words count only while the host is unread and no recent commit is known, and then as half a reading',
    type: 'skill',
    before: { ...FAMOUS, lastCommitAt: null, archived: null },
    after: {
      ...FAMOUS,
      lastCommitAt: null,
      archived: null,
      observed: [{ fact: 'stated_status', ...seen({ status: 'archived' as const, since: null }) }],
    },
    gainAtMost: 0,
    lossAtMost: 8,
    confidenceGainAtMost: 9,
  },
  {
    name: 'Many own listings',
    cost: '200 near-empty repositories: an hour',
    defence: 'the trust of the listings counts as a mean weighted by confidence, not as a sum',
    type: 'creator',
    before: UNKNOWN_CREATOR,
    after: {
      ...UNKNOWN_CREATOR,
      portfolio: { listings: 201, confidence: 12.4, weightedTrust: 3.76, observedAt: DAY.toISOString() },
    },
    gainAtMost: 0,
    confidenceGainAtMost: 16,
  },
  {
    name: "Registered strangers' repositories",
    cost: 'a free account',
    defence: 'a listing counts only for the owner that its host names',
    type: 'creator',
    before: UNKNOWN_CREATOR,
    // The facts do not change, because a stranger's repository does not count for the creator who registered it.
    after: { ...UNKNOWN_CREATOR },
    gainAtMost: 0,
    confidenceGainAtMost: 0,
  },
];

/** Trust and confidence before and after an attack. */
export interface AttackEffect {
  readonly trust: readonly [before: number, after: number];
  readonly confidence: readonly [before: number, after: number];
}

/** Scores an attack with the current method. */
export function effectOf({ type, before, after }: Attack): AttackEffect {
  const scores = [scoreOf(type, before), scoreOf(type, after)] as const;
  return {
    trust: [scores[0].trust, scores[1].trust],
    confidence: [scores[0].confidence, scores[1].confidence],
  };
}

function scoreOf(type: SubjectType, facts: Facts) {
  const subject = { id: 'example', type, name: 'example', repository: null };
  return scoreByMethod({ operation: 'example', runId: null, subject, facts, now: DAY });
}
