import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import {
  creatorAccounts,
  creatorAge,
  downloads,
  forks,
  freshness,
  issueLoad,
  license,
  type Repository,
  stars,
} from './repository-values.ts';
import {
  daysSince,
  growth,
  missing,
  notApplicable,
  type Signal,
  type ValueReading,
  valued,
} from './signal-reading.ts';

const TABLE = RS_1_0_0.repository;

/** Rule of a signal: `read` returns the signal's value, and `evidence` the amount of evidence for such a value. */
interface SignalRule {
  read(repository: Repository): ValueReading;
  evidence(value: number, repository: Repository): number;
}

type SignalName = Exclude<keyof typeof TABLE, 'history' | 'starsPerFork' | 'downloads' | 'lineage'>;

const RULES: Readonly<Record<SignalName, SignalRule>> = {
  verified_listing: {
    read: ({ facts: { verified } }) =>
      verified === null
        ? missing('not known whether the listing is verified')
        : valued(verified, verified.value ? 1 : 0),
    evidence: (value) => TABLE.verified_listing.evidence[value === 1 ? 'verified' : 'unverified'],
  },
  creator_accounts: {
    read: creatorAccounts,
    evidence: (value) => TABLE.creator_accounts.evidence.base + TABLE.creator_accounts.evidence.share * value,
  },
  creator_age: {
    read: (repository) => creatorAge(repository.facts.creatorAccountCreatedAt, repository),
    evidence: (_value, { facts, now }) => {
      const { mass, halfLife } = TABLE.creator_age.evidence;
      const createdAt = facts.creatorAccountCreatedAt?.value;
      return createdAt === undefined ? 0 : mass * growth(daysSince(createdAt, now), halfLife);
    },
  },
  freshness: {
    read: freshness,
    evidence: (_value, repository) => TABLE.freshness.evidence * historyOf(repository),
  },
  issue_load: {
    read: issueLoad,
    evidence: (_value, repository) => TABLE.issue_load.evidence * historyOf(repository),
  },
  stars: {
    read: (repository) =>
      usesDownloads(repository)
        ? downloads(repository.facts.monthlyDownloads, repository)
        : stars(repository),
    evidence: (value, repository) => {
      const { stars: starCount, forks: forkCount } = repository.facts;
      const believed = starCount !== null && forkCount === null ? TABLE.stars.unknownForks : 1;
      return TABLE.stars.evidence * value * historyOf(repository) * believed;
    },
  },
  forks: {
    read: (repository) =>
      usesDownloads(repository) ? notApplicable('downloads are read instead') : forks(repository),
    evidence: (value, repository) => TABLE.forks.evidence * value * historyOf(repository),
  },
  license: { read: license, evidence: () => TABLE.license.evidence },
  metadata: { read: metadata, evidence: () => TABLE.metadata.evidence },
};

// Stored scores list their contributions in this order, so it must not change.
const NAMES = Object.keys(RULES) as SignalName[];

/** Returns all signals of rs-1.0.0 for an agent or skill, except lineage. */
export function signalsOfRs1(repository: Repository): Signal[] {
  return NAMES.map((name) => {
    const { weight } = TABLE[name];
    const { read, evidence } = RULES[name];
    const reading = read(repository);
    if (reading.status !== 'observed') return { name, weight, reading };
    return { name, weight, reading: { ...reading, evidence: evidence(reading.value, repository) } };
  });
}

/** Computes the method's value H: credibility of the counts that the repository itself shows, 0 to 1. */
function historyOf({ facts: { repositoryCreatedAt }, now }: Repository): number {
  const { halfLife, unknownAge } = TABLE.history;
  return repositoryCreatedAt === null ? unknownAge : growth(daysSince(repositoryCreatedAt, now), halfLife);
}

/**
 * Reads which share of the possible metadata the listing has. Method rs-1.0.0 counts an unknown part as absent, but
 * leaves out an unknown skill file.
 */
function metadata({ facts: { metadata: fact } }: Repository): ValueReading {
  if (fact === null) return missing('the metadata are not known');
  const { description, tags, category, homepage, skillManifest } = fact.value;
  const items = [description, tags, category, homepage];
  if (skillManifest !== null) items.push(skillManifest);
  return valued(fact, items.filter(Boolean).length / items.length);
}

// Uses downloads for skills with unknown stars, because skills published as packages often get no stars.
function usesDownloads({ facts, isSkill }: Repository): boolean {
  return isSkill && facts.stars === null && facts.monthlyDownloads !== null;
}
