import type { Parent, RepositoryFacts } from '../fact-types.ts';
import { type ActiveCap, type ComputedScore, computeScore } from './compute-score.ts';
import { readAccountAge, readAccounts } from './creator-signals.ts';
import { licenseClass } from './license-class.ts';
import { exactEquityFlow } from './lineage-equity.ts';
import { METHOD } from './method-rs-1.0.0.ts';
import {
  daysSince,
  decay,
  growth,
  missing,
  notApplicable,
  observed,
  type Reading,
  type Signal,
  saturation,
} from './signal-reading.ts';

/** A full score, and the score of the same facts without the lineage signal. */
export interface ScoreWithOwn {
  own: ComputedScore;
  full: ComputedScore;
}

/** Scores an agent or skill. Lineage counts only if it raises trust, because otherwise hiding a parent would pay. */
export function repositoryScore(facts: RepositoryFacts, type: 'agent' | 'skill', now: Date): ScoreWithOwn {
  const signals = repositorySignals(facts, type, now);
  const limits = repositoryCaps(facts, now);
  const frame = (lineage: Reading) => computeScore([...signals, lineageSignal(lineage)], limits, now);
  const inherited = inheritedEquity(facts.parents);
  const own = frame(inherited.status === 'observed' ? NOT_RAISING : inherited);
  if (inherited.status !== 'observed') return { own, full: own };
  const full = frame(inherited);
  return { own, full: full.exactTrust > own.exactTrust ? full : own };
}

const NOT_RAISING = notApplicable("the parent's equity would not raise trust");

/** Returns the reading of the parent that passes on the most equity. */
function inheritedEquity(parents: readonly Parent[]): Reading {
  if (parents.length === 0) return notApplicable('no parent is known');
  let best = notApplicable('no parent has a confirmed score');
  for (const { score, acknowledged } of parents) {
    if (score === null) continue;
    const value = exactEquityFlow(score, acknowledged) / 100;
    if (best.status === 'observed' && best.value >= value) continue;
    const seen = { observedAt: score.version, source: 'registry' };
    best = observed(seen, value, METHOD.repository.lineage.evidence);
  }
  return best;
}

/** Returns the caps that apply to a repository. Unknown facts cause no cap. */
function repositoryCaps(facts: RepositoryFacts, now: Date): ActiveCap[] {
  const { archived, deprecated, no_license, young_repository } = METHOD.caps;
  const limits: ActiveCap[] = [];
  if (facts.archived === true) limits.push({ cap: 'archived', limit: archived.limit });
  if (facts.deprecated === true) limits.push({ cap: 'deprecated', limit: deprecated.limit });
  if (facts.license !== null && licenseClass(facts.license.value) === 'none') {
    limits.push({ cap: 'no_license', limit: no_license.limit });
  }
  const createdAt = facts.repositoryCreatedAt;
  if (createdAt !== null && daysSince(createdAt, now) < young_repository.underDays) {
    limits.push({ cap: 'young_repository', limit: young_repository.limit });
  }
  return limits;
}

const WEIGHTS = METHOD.repository;

/** Facts of a repository, with values that several signals share. */
interface Repository {
  facts: RepositoryFacts;
  isSkill: boolean;
  now: Date;
  /** H of the method: credibility of the counts that the repository itself shows, 0 to 1. */
  history: number;
  /** S of the method: number of stars that is credible for the number of forks; 0 if the stars are unknown. */
  credibleStars: number;
}

/** Returns all signals of an agent or skill except lineage. The caller compares the scores with and without lineage. */
function repositorySignals(facts: RepositoryFacts, type: 'agent' | 'skill', now: Date): Signal[] {
  const repository: Repository = {
    facts,
    isSkill: type === 'skill',
    now,
    history: historyOf(facts.repositoryCreatedAt, now),
    credibleStars: credibleStarsOf(facts),
  };
  return [
    signal('verified_listing', verifiedListing(facts)),
    signal('creator_accounts', readAccounts(facts.creatorAccounts, WEIGHTS.creator_accounts)),
    signal('creator_age', readAccountAge(facts.creatorAccountCreatedAt, WEIGHTS.creator_age, now)),
    signal('freshness', freshness(repository)),
    signal('issue_load', issueLoad(repository)),
    signal('stars', usesDownloads(repository) ? downloads(repository) : stars(repository)),
    signal('forks', forks(repository)),
    signal('license', license(facts)),
    signal('metadata', metadata(facts)),
  ];
}

/** Wraps a reading as the lineage signal. */
function lineageSignal(reading: Reading): Signal {
  return signal('lineage', reading);
}

type SignalName = Exclude<keyof typeof WEIGHTS, 'history' | 'starsPerFork' | 'downloads'>;

function signal(name: SignalName, reading: Reading): Signal {
  return { name, weight: WEIGHTS[name].weight, reading };
}

function historyOf(createdAt: string | null, now: Date): number {
  const { halfLife, unknownAge } = WEIGHTS.history;
  return createdAt === null ? unknownAge : growth(daysSince(createdAt, now), halfLife);
}

// If the forks are unknown, all stars count, but their evidence is halved.
function credibleStarsOf({ stars, forks }: RepositoryFacts): number {
  if (stars === null) return 0;
  return forks === null ? stars.value : Math.min(stars.value, WEIGHTS.starsPerFork * (forks.value + 1));
}

function verifiedListing({ verified }: RepositoryFacts): Reading {
  if (verified === null) return missing('not known whether the listing is verified');
  const { evidence } = WEIGHTS.verified_listing;
  return verified.value
    ? observed(verified, 1, evidence.verified)
    : observed(verified, 0, evidence.unverified);
}

function freshness(repository: Repository): Reading {
  const fact = repository.facts.lastCommitAt;
  if (fact === null) return missing('the last commit is not known');
  const { evidence, halfLife, finished } = WEIGHTS.freshness;
  const fresh = decay(daysSince(fact.value, repository.now), halfLife);
  const value = Math.max(fresh, isFinished(repository) ? finished.value : 0);
  return observed(fact, value, evidence * repository.history);
}

function isFinished({ facts, now }: Repository): boolean {
  const { openIssuesUnder, fromDays } = WEIGHTS.freshness.finished;
  const kind = facts.license === null ? null : licenseClass(facts.license.value);
  const quiet = facts.openIssues !== null && facts.openIssues.value < openIssuesUnder;
  const old = facts.repositoryCreatedAt !== null && daysSince(facts.repositoryCreatedAt, now) >= fromDays;
  return (kind === 'osi' || kind === 'other') && quiet && old && facts.archived !== true;
}

function issueLoad({ facts, credibleStars, history }: Repository): Reading {
  const fact = facts.openIssues;
  if (fact === null) return missing('the open issues are not known');
  const { evidence, noneOpen, base, perStar, perFork } = WEIGHTS.issue_load;
  const bearable = base + perStar * credibleStars + perFork * (facts.forks?.value ?? 0);
  const value = fact.value === 0 ? noneOpen : 1 / (1 + fact.value / bearable);
  return observed(fact, value, evidence * history);
}

function stars({ facts, credibleStars, history }: Repository): Reading {
  if (facts.stars === null) return missing('the stars are not known');
  const { evidence, saturation: full, unknownForks } = WEIGHTS.stars;
  const value = saturation(credibleStars, full);
  const believed = facts.forks === null ? unknownForks : 1;
  return observed(facts.stars, value, evidence * value * history * believed);
}

// Skills that are published as packages are often used without being starred.
function usesDownloads({ facts, isSkill }: Repository): boolean {
  return isSkill && facts.stars === null && facts.monthlyDownloads !== null;
}

function downloads({ facts, history }: Repository): Reading {
  const fact = facts.monthlyDownloads;
  if (fact === null) return missing('the downloads are not known');
  const value = saturation(fact.value / WEIGHTS.downloads.weeksPerMonth, WEIGHTS.downloads.saturation);
  return observed(fact, value, WEIGHTS.stars.evidence * value * history);
}

function forks(repository: Repository): Reading {
  const fact = repository.facts.forks;
  if (usesDownloads(repository)) return notApplicable('downloads are read instead');
  if (fact === null) return missing('the forks are not known');
  const value = saturation(fact.value, WEIGHTS.forks.saturation);
  return observed(fact, value, WEIGHTS.forks.evidence * value * repository.history);
}

function license({ license: fact }: RepositoryFacts): Reading {
  const kind = fact === null ? null : licenseClass(fact.value);
  if (fact === null || kind === null) return missing('the licence is not known');
  return observed(fact, WEIGHTS.license[kind], WEIGHTS.license.evidence);
}

function metadata({ metadata: fact }: RepositoryFacts): Reading {
  if (fact === null) return missing('the metadata are not known');
  const { description, tags, category, homepage, skillManifest } = fact.value;
  const items = [description, tags, category, homepage];
  if (skillManifest !== null) items.push(skillManifest);
  return observed(fact, items.filter(Boolean).length / items.length, WEIGHTS.metadata.evidence);
}
