// Signals of method rs-2.0.0, which is published and never changes: a new signal belongs to a new method, see
// CONTRIBUTING.md#a-signal.

import {
  everyStanding,
  type FurtherFactName,
  type FurtherFacts,
  type Observed,
  type RepositoryFacts,
} from '../fact-types.ts';
import { provedShare } from './creator-signals.ts';
import { RS_2_0_0 } from './method-rs-2.0.0.ts';
import {
  creatorAge,
  downloads,
  forks,
  freshness,
  issueLoad,
  judgedAt,
  license,
  type Repository,
  stars,
} from './repository-values.ts';
import {
  daysSince,
  decay,
  growth,
  missing,
  type Reading,
  type Signal,
  saturation,
  type ValueReading,
  valued,
} from './signal-reading.ts';

const TABLE = RS_2_0_0.repository;

type SignalName = Exclude<
  keyof typeof TABLE,
  'frame' | 'evidencePerWeight' | 'starsPerFork' | 'starsPerDay' | 'downloads'
>;

/** Reason stated for missing package facts if no package counts as the repository's own. */
const NO_PACKAGE = 'no package and repository that name each other are known';

const provenance = whereKnown(
  'published_package',
  'the provenance of its package is not known',
  (published) => (published.provenance === null ? null : TABLE.provenance.value[published.provenance]),
);

const READERS: Readonly<Record<Exclude<SignalName, 'lineage'>, (repository: Repository) => ValueReading>> = {
  // Without a proof the signal is missing, not zero, because an unclaimed listing is not worse.
  verified_listing: ({ facts: { verified } }) =>
    verified?.value === true ? valued(verified, 1) : missing('nobody has proved the account that owns it'),
  creator_accounts: ({ facts: { creatorAccounts: fact } }) =>
    fact !== null && provedShare(fact.value) > 0
      ? valued(fact, 1)
      : missing('no account of the creator is proved here or named by the MCP registry'),
  creator_age: (repository) => creatorAge(earliestAccountDate(repository.facts), repository),
  official_maker: whereKnown(
    'official_maker',
    'no entry of the MCP registry in the name of its owner, and no proved domain, is known',
    () => 1,
  ),
  package_confirmed: ({ facts: { packageConfirmed } }) =>
    packageConfirmed === undefined ? missing(NO_PACKAGE) : valued(packageConfirmed, 1),
  vulnerabilities,
  provenance: (repository) =>
    repository.facts.packageConfirmed === undefined ? missing(NO_PACKAGE) : provenance(repository),
  freshness: activity,
  // The creation date of a repository never changes, so its observation does not age.
  repository_age: ({ facts: { repositoryCreatedAt }, now }) =>
    repositoryCreatedAt === null
      ? missing('the creation of the repository is not known')
      : valued(
          { observedAt: null, source: 'registry' },
          growth(daysSince(repositoryCreatedAt, now), TABLE.repository_age.halfLife),
        ),
  releases: whereKnown('releases', 'the releases are not known', ({ count, latestAt }, at) => {
    const { saturation: full, halfLife } = TABLE.releases;
    const number = saturation(count, full);
    return latestAt === null ? number : (number + decay(daysSince(latestAt, at), halfLife)) / 2;
  }),
  contributors: whereKnown('contributors', 'the contributors are not known', ({ count }) =>
    saturation(count, TABLE.contributors.saturation),
  ),
  issue_load: issueLoad,
  scorecard: whereKnown('scorecard', 'no OpenSSF Scorecard is known', ({ score }) => score / 10),
  security_policy: whereKnown(
    'security_policy',
    'not known whether it has a security policy',
    ({ present }) => (present ? 1 : 0),
  ),
  stars: (repository) =>
    usesDownloads(repository.facts)
      ? downloads(downloadsOf(repository.facts), repository)
      : stars(repository),
  forks,
  lists: ({ facts: { lists } }) =>
    lists === undefined ? missing('no list that names it is known') : valued(lists, 1),
  license,
  metadata,
};

const NAMES = Object.keys(READERS) as (keyof typeof READERS)[];

/** Returns all signals of rs-2.0.0 for an agent or skill, except lineage. */
export function signalsOfRs2(repository: Repository): Signal[] {
  return NAMES.map((name) => ({
    name,
    weight: TABLE[name].weight,
    reading: withEvidence(name, READERS[name](repository), repository),
  }));
}

function withEvidence(name: keyof typeof READERS, reading: ValueReading, repository: Repository): Reading {
  if (reading.status !== 'observed') return reading;
  const entry = TABLE[name];
  const certainty = certaintyOf(name, reading.value, repository);
  const isLasting = 'observationHalfLife' in entry && !(name === 'stars' && usesDownloads(repository.facts));
  return {
    ...reading,
    evidence: TABLE.evidencePerWeight * entry.weight * certainty,
    ...(isLasting && { observationHalfLife: entry.observationHalfLife }),
  };
}

function certaintyOf(name: keyof typeof READERS, value: number, { facts, now }: Repository): number {
  if (name === 'stars' && usesDownloads(facts)) return TABLE.downloads.certainty;
  if (name === 'freshness' && countingStatement(facts, now) !== null)
    return TABLE.freshness.statedStatus.certainty;
  switch (TABLE[name].certainty) {
    case 'full':
      return name === 'license' && isOfList(facts.license) ? TABLE.license.statedByList : 1;
    case 'rising':
      return ((1 + value) / 2) * (name === 'releases' ? knownShareOfReleases(facts) : 1);
    case 'share':
      return knownShare(name, facts);
  }
}

/**
 * Returns true if the source of a fact is a list (a repository, `owner/name`), or one of several lists (`registry`).
 */
function isOfList(fact: Observed<unknown> | null): boolean {
  return fact !== null && (fact.source === 'registry' || fact.source.includes('/'));
}

function knownShare(name: keyof typeof READERS, facts: RepositoryFacts): number {
  switch (name) {
    case 'lists':
      return saturation(Math.max(0, (facts.lists?.value ?? 1) - 1), TABLE.lists.furtherLists);
    case 'metadata': {
      const parts = partsOf(facts.metadata);
      return parts.filter((part) => part !== null).length / parts.length;
    }
    default:
      return facts.creatorAccounts === null ? 0 : provedShare(facts.creatorAccounts.value);
  }
}

/** Returns one half if there are releases but no source states the date of the latest one; otherwise 1. */
function knownShareOfReleases(facts: RepositoryFacts): number {
  const isDated = recordsOf(facts, 'releases').some(
    ({ value: { count, latestAt } }) => count === 0 || latestAt !== null,
  );
  return isDated ? 1 : 0.5;
}

/** Reads which share of the known parts of the metadata the listing has. Unknown parts are left out of the share. */
function metadata({ facts: { metadata: fact } }: Repository): ValueReading {
  const known = partsOf(fact).filter((part) => part !== null);
  return fact === null || known.length === 0
    ? missing('the metadata are not known')
    : valued(fact, known.filter(Boolean).length / known.length);
}

/** Returns for each part of the metadata whether it is present (null: unknown). Leaves out an unknown skill file. */
function partsOf(metadata: RepositoryFacts['metadata']): (boolean | null)[] {
  if (metadata === null) return [];
  const { description, tags, category, homepage, skillManifest } = metadata.value;
  const parts = [description, tags, category, homepage];
  return skillManifest === null ? parts : [...parts, skillManifest];
}

/**
 * Returns true if a package of the listing counts as malware: its published version has malware, or this version was not
 * read and an advisory covers every version. Researchers' proofs of concept do not count.
 */
export function hasMalware(facts: RepositoryFacts): boolean {
  return recordsOf(facts, 'package_standing')
    .flatMap(({ value }) => everyStanding(value))
    .some(
      ({ published, everyVersion, isResearch }) =>
        !isResearch && (published === 'malware' || (published === 'unread' && everyVersion)),
    );
}

/** Returns true if the registry of the package marks the published version as deprecated. */
export function isDeprecatedPackage(facts: RepositoryFacts): boolean {
  return recordsOf(facts, 'published_package').some(({ value }) => value.deprecated === true);
}

/** Facts about a package. They count only if the package's registry and the repository name each other. */
export const PACKAGE_FACTS: ReadonlySet<FurtherFactName> = new Set(['published_package', 'package_standing']);

/**
 * Returns the observations of a further fact, one for each source. Returns none for a fact about a package if the
 * package is not confirmed, because a list may have named a package of another owner.
 */
export function recordsOf<Name extends FurtherFactName>(
  facts: RepositoryFacts,
  name: Name,
): readonly Observed<FurtherFacts[Name]>[] {
  if (PACKAGE_FACTS.has(name) && facts.packageConfirmed === undefined) return [];
  const records: readonly Observed<unknown>[] = facts.observed?.filter(({ fact }) => fact === name) ?? [];
  // The fact's name determines the type of its value.
  return records as readonly Observed<FurtherFacts[Name]>[];
}

/** Creates a function that reads a further fact. If several sources state the fact, the lowest value counts. */
function whereKnown<Name extends FurtherFactName>(
  name: Name,
  reason: string,
  readValue: (value: FurtherFacts[Name], at: Date) => number | null,
): (repository: Repository) => ValueReading {
  return (repository) =>
    lowest(
      recordsOf(repository.facts, name).flatMap((record) => {
        const value = readValue(record.value, judgedAt(record, repository));
        return value === null ? [] : [valued(record, value)];
      }),
    ) ?? missing(reason);
}

function lowest(readings: readonly ValueReading[]): ValueReading | null {
  return readings.reduce<ValueReading | null>((least, reading) => {
    if (least?.status !== 'observed' || reading.status !== 'observed') return least ?? reading;
    return reading.value < least.value ? reading : least;
  }, null);
}

/** Reads the last commit, or a list's statement that the repository is no longer developed. */
function activity(repository: Repository): ValueReading {
  const statement = countingStatement(repository.facts, repository.now);
  return statement === null ? freshness(repository) : valued(statement, 0);
}

/**
 * Returns a list's statement that the repository is no longer developed; null if the last commit is at least as strong
 * evidence, so that one list cannot outweigh a recent reading.
 */
function countingStatement(facts: RepositoryFacts, now: Date): Observed<unknown> | null {
  const [statement] = recordsOf(facts, 'stated_status');
  if (statement === undefined) return null;
  const fade = ({ observedAt }: Observed<unknown>) =>
    decay(Math.floor(daysSince(observedAt, now)), TABLE.frame.observationHalfLife);
  const read = facts.lastCommitAt === null ? 0 : fade(facts.lastCommitAt);
  return read < TABLE.freshness.statedStatus.certainty * fade(statement) ? statement : null;
}

function vulnerabilities({ facts }: Repository): ValueReading {
  if (facts.packageConfirmed === undefined) return missing(NO_PACKAGE);
  const { severity, withoutFix } = TABLE.vulnerabilities;
  const standings = recordsOf(facts, 'package_standing');
  const readings = standings.flatMap((record) =>
    everyStanding(record.value).flatMap(({ published, vulnerabilities: known, isOutdated }) => {
      if (published === 'malware') return [valued(record, 0)];
      // Without a recent reading of the advisories, the absence of known vulnerabilities proves nothing.
      if (published === 'unread' || (isOutdated === true && known.length === 0)) return [];
      const values = known.map(
        (open) => severity[open.severity ?? 'unrated'] * (open.fixedIn === null ? withoutFix : 1),
      );
      return [valued(record, Math.min(1, ...values))];
    }),
  );
  const isUnread = standings.some(({ value }) => value.version === null);
  return (
    lowest(readings) ??
    missing(
      isUnread
        ? 'its published version was not read, so that advisories cannot be compared with it'
        : 'advisories about its published version are not known',
    )
  );
}

/** Counts independent lists: lists that copy one another count as one. */
export function countIndependentLists(lists: readonly string[]): number {
  const groups: readonly (readonly string[])[] = TABLE.lists.copies;
  return new Set(lists.map((list) => groups.find((group) => group.includes(list))?.[0] ?? list)).size;
}

/** Returns the earliest known creation date of the owner's account, with the time of the latest observation. */
function earliestAccountDate(facts: RepositoryFacts): Observed<string> | null {
  const dates = recordsOf(facts, 'owner_account').flatMap(({ value, observedAt, source }) =>
    value.createdAt === null ? [] : [{ value: value.createdAt, observedAt, source }],
  );
  if (facts.creatorAccountCreatedAt !== null) dates.push(facts.creatorAccountCreatedAt);
  const [earliest] = dates.toSorted((one, other) => Date.parse(one.value) - Date.parse(other.value));
  const [latest] = dates.toSorted((one, other) => Date.parse(other.observedAt) - Date.parse(one.observedAt));
  return earliest === undefined || latest === undefined
    ? null
    : { ...earliest, observedAt: latest.observedAt };
}

function usesDownloads(facts: RepositoryFacts): boolean {
  return facts.stars === null && downloadsOf(facts) !== null;
}

function downloadsOf(facts: RepositoryFacts) {
  const [known] = recordsOf(facts, 'published_package').flatMap(({ value, observedAt, source }) =>
    value.monthlyDownloads === null ? [] : [{ value: value.monthlyDownloads, observedAt, source }],
  );
  return known ?? facts.monthlyDownloads;
}

/** Returns the downloads a month of the listing's package, as the score counts them; undefined if unknown. */
export function monthlyDownloads(facts: RepositoryFacts): number | undefined {
  return downloadsOf(facts)?.value;
}
