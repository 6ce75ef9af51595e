import { scoreByMethod } from '../../scoring/embedded/embedded-backend.ts';
import type { AccountFacts } from '../../scoring/facts/account-facts.ts';
import type { CreatorFacts } from '../../scoring/facts/creator-facts.ts';
import type { RepositoryFacts } from '../../scoring/facts/repository-facts.ts';
import type { Contribution, Facts } from '../../scoring/scoring-backend.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';
import type { ScoreDetail } from '../score/score-detail.ts';

/** The examples are scored on this day, whenever the page is read. */
const DAY = new Date('2026-11-01T12:00:00.000Z');

function daysBefore(days: number): string {
  return new Date(DAY.getTime() - days * 86_400_000).toISOString();
}

function seen<Value>(value: Value) {
  return { value, observedAt: DAY.toISOString(), source: 'example' };
}

/** A small, well-kept skill: invented, with every fact that the table asks for but a parent. */
const CLAIMED: RepositoryFacts = {
  verified: seen(true),
  creatorAccounts: seen({
    repoHost: true,
    nodePackages: true,
    pythonPackages: false,
    professionalNetwork: false,
  }),
  creatorAccountCreatedAt: seen(daysBefore(1200)),
  repositoryCreatedAt: daysBefore(300),
  archived: false,
  deprecated: false,
  lastCommitAt: seen(daysBefore(10)),
  openIssues: seen(2),
  stars: seen(40),
  forks: seen(6),
  monthlyDownloads: null,
  license: seen('MIT'),
  metadata: seen({ description: true, tags: true, category: true, homepage: true, skillManifest: null }),
  parents: [],
};

/** The same repository as a list knows it before anybody claims it: what its owner would prove is missing. */
const UNCLAIMED: RepositoryFacts = {
  ...CLAIMED,
  verified: seen(false),
  creatorAccounts: null,
  creatorAccountCreatedAt: null,
  repositoryCreatedAt: null,
  archived: null,
  deprecated: null,
  lastCommitAt: null,
  openIssues: null,
  forks: null,
};

/** Scores worked out by the same code that scores the directory, in the shape that pages show. */
export function workExamples(): { claimed: ScoreDetail; unclaimed: ScoreDetail } {
  return { claimed: work('skill', CLAIMED), unclaimed: work('skill', UNCLAIMED) };
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

/** Every signal of a type with its weight, heaviest first. */
export function signalsOf(type: SubjectType): Contribution[] {
  const facts = type === 'creator' ? NO_CREATOR : type.endsWith('account') ? NO_ACCOUNT : UNCLAIMED;
  return work(type, facts).contributions.toSorted((a, b) => b.weight - a.weight);
}

function work(type: SubjectType, facts: Facts): ScoreDetail {
  const subject = { id: 'example', type, name: 'example', repository: null };
  const score = scoreByMethod({ operation: 'example', runId: null, subject, facts, now: DAY });
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
