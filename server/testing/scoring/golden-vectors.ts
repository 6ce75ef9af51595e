import type {
  CreatorAccounts,
  Facts,
  Metadata,
  Observed,
  Parent,
  RepositoryFacts,
} from '../../src/scoring/fact-types.ts';
import type { ScoreRequest } from '../../src/scoring/scoring-backend.ts';
import type { SubjectType } from '../../src/scoring/subject-type.ts';

/** Current time of all tests. */
export const NOW = new Date('2026-11-21T12:00:00.000Z');

/** Returns the time this many days before NOW. */
export function daysAgo(days: number): string {
  return new Date(NOW.getTime() - days * 86_400_000).toISOString();
}

/** Creates a fact that was observed this many days ago. */
export function observation<Value>(value: Value, daysOld = 0): Observed<Value> {
  return { value, observedAt: daysAgo(daysOld), source: 'test' };
}

/** Creates facts of a subject; those not given are unknown. */
export function repositoryFacts(known: Partial<RepositoryFacts> = {}): RepositoryFacts {
  return {
    verified: null,
    creatorAccounts: null,
    creatorAccountCreatedAt: null,
    repositoryCreatedAt: null,
    archived: null,
    deprecated: null,
    lastCommitAt: null,
    openIssues: null,
    stars: null,
    forks: null,
    monthlyDownloads: null,
    license: null,
    metadata: null,
    parents: [],
    ...known,
  };
}

const OPERATIONS: Record<SubjectType, string> = {
  agent: 'agent_score',
  skill: 'skill_score',
  creator: 'creator_score',
  social_account: 'social_account_score',
  messaging_account: 'messenger_account_score',
};

/** Creates a score request for a skill, or for another type to which the facts belong. */
export function scoreRequest(facts: Facts, type: SubjectType = 'skill'): ScoreRequest {
  const inRepository = type === 'agent' || type === 'skill';
  return {
    operation: OPERATIONS[type],
    runId: null,
    subject: {
      id: '019f0000-0000-7000-8000-000000000001',
      type,
      name: 'subject',
      repository: inRepository ? 'owner/subject' : null,
    },
    facts,
    now: NOW,
  };
}

/**
 * Creates an acknowledged parent that passes on exactly this share (0 to 0.85) of its trust: its trust is 100, and its
 * confidence is the one that gives the share.
 */
export function parentPassingOn(share: number): Parent {
  return {
    id: '019f0000-0000-7000-8000-000000000002',
    score: { ownTrust: 100, ownConfidence: (100 * share) / 0.85, version: daysAgo(0) },
    acknowledged: true,
  };
}

/** Parses `1` (proved) or `0` for each account: repository host, node packages, python packages, professional network. */
export function accounts(bits: string): CreatorAccounts {
  const proved = [...bits].map((bit) => bit === '1');
  return {
    repoHost: proved[0] === true,
    nodePackages: proved[1] === true,
    pythonPackages: proved[2] === true,
    professionalNetwork: proved[3] === true,
  };
}

/** Creates metadata with this number of the four items. */
export function metadata(stated: number, skillManifest: boolean | null = null): Metadata {
  return {
    description: stated > 0,
    category: stated > 1,
    tags: stated > 2,
    homepage: stated > 3,
    skillManifest,
  };
}

interface RepositoryColumns {
  stars: number;
  forks: number;
  openIssues: number;
  lastCommit: number;
  age: number;
  license: string;
  archived?: boolean;
  observed?: number;
}

function repository(columns: RepositoryColumns): Partial<RepositoryFacts> {
  const daysOld = columns.observed ?? 0;
  return {
    stars: observation(columns.stars, daysOld),
    forks: observation(columns.forks, daysOld),
    openIssues: observation(columns.openIssues, daysOld),
    lastCommitAt: observation(daysAgo(columns.lastCommit), daysOld),
    repositoryCreatedAt: daysAgo(columns.age),
    license: observation(columns.license, daysOld),
    archived: columns.archived ?? false,
  };
}

function creator(
  verified: boolean,
  bits: string,
  age: number,
  stated: number,
  daysOld = 0,
): Partial<RepositoryFacts> {
  return {
    verified: observation(verified, daysOld),
    creatorAccounts: observation(accounts(bits), daysOld),
    creatorAccountCreatedAt: observation(daysAgo(age), daysOld),
    metadata: observation(metadata(stated), daysOld),
  };
}

/** Published score of a vector; `raw` only if a cap lowered the trust. */
export interface GoldenVector {
  name: string;
  facts: RepositoryFacts;
  trust: number;
  raw?: number;
  confidence: number;
  lowerBound: number;
  tier: 'high' | 'medium' | 'low';
  status: 'complete' | 'partial' | 'incomplete';
}

const established = { stars: 8000, forks: 900, openIssues: 120, license: 'MIT' };

/** The nine published vectors of rs-1.0.0, which are the contract of the method. */
export const GOLDEN_VECTORS: readonly GoldenVector[] = [
  {
    name: 'A established',
    facts: repositoryFacts({
      ...repository({ ...established, lastCommit: 3, age: 900 }),
      ...creator(true, '1111', 2500, 4),
    }),
    ...{ trust: 86.8, confidence: 83.0, lowerBound: 76.8, tier: 'high', status: 'complete' },
  },
  {
    name: 'B small, good',
    facts: repositoryFacts({
      ...repository({ stars: 40, forks: 6, openIssues: 2, lastCommit: 10, age: 300, license: 'MIT' }),
      ...creator(true, '1100', 1200, 4),
    }),
    ...{ trust: 66.6, confidence: 77.6, lowerBound: 50.6, tier: 'high', status: 'complete' },
  },
  {
    name: 'C finished',
    facts: repositoryFacts({
      ...repository({
        stars: 300,
        forks: 25,
        openIssues: 3,
        lastCommit: 600,
        age: 1200,
        license: 'Apache-2.0',
      }),
      ...creator(true, '1100', 2000, 4),
    }),
    ...{ trust: 67.9, confidence: 80.8, lowerBound: 53.1, tier: 'high', status: 'complete' },
  },
  {
    name: 'D bought stars',
    facts: repositoryFacts({
      ...repository({ stars: 5000, forks: 0, openIssues: 0, lastCommit: 5, age: 25, license: 'NONE' }),
      ...creator(false, '1000', 20, 2),
    }),
    ...{ trust: 39.4, confidence: 59.0, lowerBound: 17.3, tier: 'low', status: 'complete' },
  },
  {
    name: 'E new fork of a good parent',
    facts: repositoryFacts({
      ...repository({ stars: 3, forks: 0, openIssues: 0, lastCommit: 1, age: 30, license: 'MIT' }),
      ...creator(false, '1000', 200, 4),
      parents: [parentPassingOn(0.62)],
    }),
    ...{ trust: 45.6, confidence: 67.8, lowerBound: 25.4, tier: 'low', status: 'complete' },
  },
  {
    name: 'F archived',
    facts: repositoryFacts({
      ...repository({ ...established, lastCommit: 400, age: 2000, archived: true }),
      ...creator(true, '1111', 2500, 4),
    }),
    ...{ trust: 40.0, raw: 72.7, confidence: 83.2, lowerBound: 25.5, tier: 'low', status: 'complete' },
  },
  {
    name: 'G no repository data',
    facts: repositoryFacts(creator(false, '0000', 400, 2)),
    ...{ trust: 26.6, confidence: 34.0, lowerBound: 5.0, tier: 'low', status: 'partial' },
  },
  {
    name: 'H name only',
    facts: repositoryFacts({ metadata: observation(metadata(1)) }),
    ...{ trust: 33.3, confidence: 3.5, lowerBound: 4.0, tier: 'low', status: 'incomplete' },
  },
  {
    name: 'I as A, observed 60 days ago',
    facts: repositoryFacts({
      ...repository({ ...established, lastCommit: 63, age: 960, observed: 60 }),
      ...creator(true, '1111', 2500, 4, 60),
    }),
    ...{ trust: 83.1, confidence: 75.5, lowerBound: 69.8, tier: 'high', status: 'complete' },
  },
];
