import type { Observed, RepositoryFacts } from '../fact-types.ts';
import { accountAgeValue, provedShare } from './creator-signals.ts';
import type { Method } from './current-method.ts';
import { licenseClass } from './license-class.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import {
  daysSince,
  decay,
  growth,
  missing,
  saturation,
  type ValueReading,
  valued,
} from './signal-reading.ts';

/** Facts of a repository, values that several signals use, and the constants of the method. */
export interface Repository {
  readonly facts: RepositoryFacts;
  readonly isSkill: boolean;
  readonly now: Date;
  readonly table: Method['repository'];
  /** The method's value S: number of credible stars; 0 if the stars are unknown. */
  readonly credibleStars: number;
}

/** Computes the values that several signals of a repository use. */
export function describeRepository(
  facts: RepositoryFacts,
  type: 'agent' | 'skill',
  now: Date,
  table: Method['repository'],
): Repository {
  return { facts, isSkill: type === 'skill', now, table, credibleStars: credibleStarsOf(facts, now, table) };
}

/** Limits the stars by the forks and, with rs-2.0.0, by the age of the repository, because stars can be bought. */
export function credibleStarsOf(
  { stars, forks, repositoryCreatedAt }: RepositoryFacts,
  now: Date,
  table: Method['repository'],
): number {
  if (stars === null) return 0;
  const byForks = forks === null ? Number.POSITIVE_INFINITY : table.starsPerFork * (forks.value + 1);
  const byAge =
    'starsPerDay' in table && repositoryCreatedAt !== null
      ? table.starsPerDay * (daysSince(repositoryCreatedAt, now) + 1)
      : Number.POSITIVE_INFINITY;
  return Math.min(stars.value, byForks, byAge);
}

/** Reads the weighted share of the kinds of account that are known for the creator. */
export function creatorAccounts({ facts: { creatorAccounts: fact } }: Repository): ValueReading {
  return fact === null
    ? missing("the creator's accounts have not been checked")
    : valued(fact, provedShare(fact.value));
}

/** Reads the age of the creator's account. */
export function creatorAge(fact: Observed<string> | null, { now, table }: Repository): ValueReading {
  if (fact === null) return missing("the age of the creator's account is not known");
  return valued(fact, accountAgeValue(daysSince(fact.value, now), table.creator_age));
}

/** Reads how long ago the last commit was. Finished projects, which may stay unchanged, keep a minimum value. */
export function freshness(repository: Repository): ValueReading {
  const fact = repository.facts.lastCommitAt;
  if (fact === null) return missing('the last commit is not known');
  const { halfLife } = repository.table.freshness;
  const fresh =
    decay(daysSince(fact.value, judgedAt(fact, repository)), halfLife) * establishedShare(repository);
  return valued(fact, Math.max(fresh, leastFreshness(repository)));
}

/**
 * Returns the time at which the age of a change is computed: now, or with rs-2.0.0 the time at which the fact was read.
 * An old reading has less weight, but is no evidence that nothing has changed since.
 */
export function judgedAt({ observedAt }: Observed<unknown>, { now, table }: Repository): Date {
  if (!('establishedHalfLife' in table.freshness)) return now;
  return new Date(Math.min(now.getTime(), Date.parse(observedAt)));
}

/**
 * Returns a factor for the freshness of the last commit. With rs-2.0.0 the factor grows with the age of the repository,
 * from 0 towards 1. It is 1 with rs-1.0.0, and if the age is unknown.
 */
function establishedShare({
  facts: { repositoryCreatedAt },
  now,
  table: { freshness: constants },
}: Repository): number {
  if (!('establishedHalfLife' in constants) || repositoryCreatedAt === null) return 1;
  return growth(daysSince(repositoryCreatedAt, now), constants.establishedHalfLife);
}

/**
 * Returns the minimum value of the signal `freshness`, however old the last commit is. With rs-2.0.0, if unknown facts
 * leave open whether the project is finished, the minimum is the prior: an unknown fact must not lower trust.
 */
function leastFreshness({ facts, now, table }: Repository): number {
  const { openIssuesUnder, fromDays, value } = table.freshness.finished;
  const kind = facts.license === null ? null : licenseClass(facts.license.value);
  const { openIssues, repositoryCreatedAt: createdAt } = facts;
  const conditions = [
    kind && kind !== 'none',
    openIssues && openIssues.value < openIssuesUnder,
    createdAt === null ? null : daysSince(createdAt, now) >= fromDays,
    facts.archived !== true,
  ];
  if (conditions.includes(false)) return 0;
  if (!conditions.includes(null)) return value;
  return 'establishedHalfLife' in table.freshness ? RS_1_0_0.prior.mean : 0;
}

/**
 * Reads the open issues in relation to the repository's use. With rs-2.0.0, the signal is missing if the use is unknown
 * and there are open issues.
 */
export function issueLoad({ facts, credibleStars, table }: Repository): ValueReading {
  const fact = facts.openIssues;
  if (fact === null) return missing('the open issues are not known');
  const isUseUnknown = facts.stars === null || facts.forks === null;
  if ('frame' in table && isUseUnknown && fact.value > 0) {
    return missing('the stars or forks that the open issues are compared with are not known');
  }
  const { noneOpen, base, perStar, perFork } = table.issue_load;
  const bearable = base + perStar * credibleStars + perFork * (facts.forks?.value ?? 0);
  return valued(fact, fact.value === 0 ? noneOpen : 1 / (1 + fact.value / bearable));
}

/** Reads the credible stars on a logarithmic scale. */
export function stars({ facts, credibleStars, table }: Repository): ValueReading {
  if (facts.stars === null) return missing('the stars are not known');
  return valued(facts.stars, saturation(credibleStars, table.stars.saturation));
}

/** Reads the weekly downloads of the package on a logarithmic scale. */
export function downloads(monthly: Observed<number> | null, { table }: Repository): ValueReading {
  if (monthly === null) return missing('the downloads are not known');
  const { weeksPerMonth, saturation: full } = table.downloads;
  return valued(monthly, saturation(monthly.value / weeksPerMonth, full));
}

/** Reads the forks on a logarithmic scale. */
export function forks({ facts, table }: Repository): ValueReading {
  if (facts.forks === null) return missing('the forks are not known');
  return valued(facts.forks, saturation(facts.forks.value, table.forks.saturation));
}

/** Reads the class of the licence. */
export function license({ facts: { license: fact }, table }: Repository): ValueReading {
  const kind = fact === null ? null : licenseClass(fact.value);
  return fact === null || kind === null
    ? missing('the licence is not known')
    : valued(fact, table.license[kind]);
}
