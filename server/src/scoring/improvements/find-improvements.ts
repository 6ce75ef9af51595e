import { EMBEDDED_SOURCE, METHOD } from '../embedded/current-method.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { licenseClass } from '../embedded/license-class.ts';
import { repositoryScore } from '../embedded/repository-signals.ts';
import type { CreatorAccounts, Facts, Observed, RepositoryFacts } from '../fact-types.ts';
import type { SubjectType } from '../subject-type.ts';

/** Actions that an owner can take. Each improves the subject or makes a true fact known; none is about popularity. */
export type ImprovementKind =
  | 'claim'
  | 'state_license'
  | 'describe'
  | 'prove_npm'
  | 'prove_pypi'
  | 'prove_network'
  | 'acknowledgement'
  | 'commit'
  | 'close_issues'
  | 'unarchive'
  | 'link_profile';

/** An action, with the points that this action alone would add to trust now. */
export interface Improvement {
  way: ImprovementKind;
  /** Points with one decimal, like trust; always above 0. */
  points: number;
  /** True if no licence is known, so that the repository may have one; only for the improvement `state_license`. */
  isUnknown?: true;
  /** Missing texts; only for the improvement `describe`. */
  missing?: readonly string[];
  /** Time of the latest known commit, ISO 8601; only for the improvement `commit`. */
  lastCommitAt?: string;
}

/** A scored subject with the data that improvements depend on. */
export interface ImprovableScore {
  facts: RepositoryFacts;
  type: 'agent' | 'skill';
  /** True for an artifact inside a repository, which has no tags, category or homepage. */
  isPart: boolean;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** Time of the score. */
  now: Date;
  /** Time at which the advice is shown. The score may be weeks old, and facts may have become too old since. */
  readAt: Date;
}

const SHOWN = 3;
/** Age from which a new commit is suggested. A younger commit counts nearly as much as one of today. */
const OLD_COMMIT_DAYS = 30;
/** Maximum age of the facts that advice is based on. Older facts may be outdated. */
const OLD_READING_DAYS = 60;
const DAY_MS = 86_400_000;

type Change = (of: ImprovableScore, seen: Seen) => Partial<RepositoryFacts> | null;
type Seen = <Value>(value: Value) => Observed<Value>;

/**
 * Actions that raise trust, least effort first: the claim and texts, then further proofs and acknowledgements, then
 * work on the repository. Each function returns the facts that the action changes, or null if the action does not
 * apply.
 */
const CHANGES: readonly (readonly [ImprovementKind, Change])[] = [
  [
    'claim',
    ({ facts }, seen) =>
      facts.verified?.value ? null : { verified: seen(true), ...proving('repoHost', facts, seen) },
  ],
  [
    'state_license',
    ({ facts, readAt }, seen) =>
      hasLicense(facts) || isOldReading(facts.license, readAt) ? null : { license: seen('MIT') },
  ],
  ['describe', describe],
  [
    'prove_npm',
    ({ facts, npmPackage }, seen) => (npmPackage === null ? null : proving('nodePackages', facts, seen)),
  ],
  [
    'prove_pypi',
    ({ facts, pypiPackage }, seen) => (pypiPackage === null ? null : proving('pythonPackages', facts, seen)),
  ],
  ['prove_network', ({ facts }, seen) => proving('professionalNetwork', facts, seen)],
  [
    'acknowledgement',
    ({ facts: { parents } }) =>
      parents.every(({ acknowledged }) => acknowledged)
        ? null
        : { parents: parents.map((parent) => ({ ...parent, acknowledged: true })) },
  ],
  ['commit', (of, seen) => (isOldCommit(of) ? { lastCommitAt: seen(of.now.toISOString()) } : null)],
  [
    'close_issues',
    ({ facts: { openIssues }, readAt }, seen) =>
      openIssues === null || openIssues.value < 2 || isOldReading(openIssues, readAt)
        ? null
        : { openIssues: seen(Math.ceil(openIssues.value / 2)) },
  ],
  [
    'unarchive',
    ({ facts, readAt }) =>
      facts.archived === true && !isOldReading(lastReading(facts), readAt) ? { archived: false } : null,
  ],
];

/**
 * Returns the first three actions that raise trust, least effort first, each with its points. To compute the points,
 * the method scores the same facts after only this action. Leaves out actions that add nothing, and those based on
 * facts that were read more than 60 days ago.
 */
export function findImprovements(of: ImprovableScore): Improvement[] {
  const { facts, type, now } = of;
  const trustOf = (known: RepositoryFacts) => repositoryScore(known, type, now).full.trust;
  const before = trustOf(facts);
  const seen: Seen = (value) => ({ value, observedAt: now.toISOString(), source: 'owner' });
  const ways: Improvement[] = [];
  for (const [way, change] of CHANGES) {
    if (ways.length === SHOWN) break;
    const changed = change(of, seen);
    if (changed === null) continue;
    const points = Math.round(10 * (trustOf({ ...facts, ...changed }) - before)) / 10;
    if (points <= 0) continue;
    ways.push({ way, points, ...detailOf(way, of) });
  }
  return ways;
}

function detailOf(way: ImprovementKind, of: ImprovableScore): Omit<Improvement, 'way' | 'points'> {
  const { lastCommitAt, license } = of.facts;
  if (way === 'state_license') return license === null ? { isUnknown: true } : {};
  if (way === 'describe') return { missing: missingTexts(of) };
  return way === 'commit' && lastCommitAt !== null ? { lastCommitAt: lastCommitAt.value } : {};
}

function describe(of: ImprovableScore, seen: Seen): Partial<RepositoryFacts> | null {
  const { metadata } = of.facts;
  const missing = missingTexts(of);
  if (metadata === null || missing.length === 0 || isOldReading(metadata, of.readAt)) return null;
  const given = Object.fromEntries(missing.map((name) => [name, true]));
  return { metadata: seen({ ...metadata.value, ...given }) };
}

function missingTexts({ facts: { metadata }, isPart }: ImprovableScore): string[] {
  if (metadata === null) return [];
  const asked = isPart ? (['description'] as const) : (['description', 'tags', 'homepage'] as const);
  return asked.filter((name) => !metadata.value[name]);
}

const NONE: CreatorAccounts = {
  repoHost: false,
  nodePackages: false,
  pythonPackages: false,
  professionalNetwork: false,
};

function proving(
  kind: keyof CreatorAccounts,
  { creatorAccounts }: RepositoryFacts,
  seen: Seen,
): Pick<RepositoryFacts, 'creatorAccounts'> | null {
  const known = creatorAccounts?.value ?? NONE;
  // The action `claim` proves the repository host account, even if the MCP registry already names it.
  return known[kind] && kind !== 'repoHost' ? null : { creatorAccounts: seen({ ...known, [kind]: true }) };
}

function hasLicense({ license }: RepositoryFacts): boolean {
  const kind = license === null ? null : licenseClass(license.value);
  return kind === 'osi' || kind === 'other';
}

function isOldCommit({ facts: { lastCommitAt }, now, readAt }: ImprovableScore): boolean {
  if (lastCommitAt === null || isOldReading(lastCommitAt, readAt)) return false;
  return now.getTime() - Date.parse(lastCommitAt.value) > OLD_COMMIT_DAYS * DAY_MS;
}

/**
 * Returns true if a fact was read too long ago for advice. Returns false for a fact that was never read, because the
 * advice to state it does not depend on a reading.
 */
function isOldReading(fact: Observed<unknown> | null, readAt: Date): boolean {
  return fact !== null && readAt.getTime() - Date.parse(fact.observedAt) > OLD_READING_DAYS * DAY_MS;
}

/** Returns the metric that was read last. `archived` is read together with the metrics, so it has the same time. */
function lastReading({ lastCommitAt, openIssues, stars, forks }: RepositoryFacts): Observed<unknown> | null {
  const readings = [lastCommitAt, openIssues, stars, forks].filter((fact) => fact !== null);
  return readings.sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))[0] ?? null;
}

/**
 * Returns for how long after `readAt` the advice for these facts stays the same: until the next of their readings is
 * older than 60 days.
 */
export function adviceStableForMs(facts: Facts | null, readAt: Date): number {
  if (facts === null || !('parents' in facts)) return Number.POSITIVE_INFINITY;
  const { license, metadata, openIssues, lastCommitAt, stars, forks } = facts;
  const left = [license, metadata, openIssues, lastCommitAt, stars, forks].flatMap((fact) => {
    const rest =
      fact === null ? 0 : Date.parse(fact.observedAt) + OLD_READING_DAYS * DAY_MS - readAt.getTime();
    return rest > 0 ? [rest] : [];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...left);
}

/** A stored score with its inputs. */
type StoredScore = Omit<ImprovableScore, 'facts' | 'now' | 'type'> & {
  type: SubjectType;
  source: string;
  methodVersion: string | null;
  facts: Facts | null;
  scoredAt: Date;
};

/**
 * Returns the actions that would raise a stored score of the current method. Returns an empty list for scores of other
 * backends or method versions, because the effect of an action on them cannot be computed here.
 */
export function improvementsOfScore({
  source,
  methodVersion,
  facts,
  scoredAt,
  type,
  ...of
}: StoredScore): Improvement[] {
  const isOurs = source === EMBEDDED_SOURCE && methodVersion === METHOD.version;
  if (!isOurs || facts === null) return [];
  if (type !== 'agent' && type !== 'skill') return findAccountImprovements(facts, type, scoredAt);
  return 'parents' in facts ? findImprovements({ ...of, type, facts, now: scoredAt }) : [];
}

/**
 * Returns the actions that raise the trust of a creator or of an account on a platform: proofs of accounts, and links
 * in both directions. Actions that would only make an account popular are left out.
 */
function findAccountImprovements(facts: Facts, type: SubjectType, now: Date): Improvement[] {
  const seen: Seen = (value) => ({ value, observedAt: now.toISOString(), source: 'owner' });
  const trustOf = (known: Facts) => {
    const subject = { id: '', type, name: '', repository: null };
    return scoreByMethod({ operation: 'advise', runId: null, subject, facts: known, now }).trust;
  };
  const changes: [ImprovementKind, Facts][] = [];
  if ('portfolio' in facts) {
    const known = facts.accounts?.value ?? NONE;
    if (!known.repoHost) changes.push(['claim', { ...facts, accounts: seen({ ...known, repoHost: true }) }]);
    if (!known.professionalNetwork)
      changes.push(['prove_network', { ...facts, accounts: seen({ ...known, professionalNetwork: true }) }]);
  }
  if ('crossLink' in facts && facts.crossLink?.value !== 'both')
    changes.push(['link_profile', { ...facts, crossLink: seen('both') }]);
  return changes.flatMap(([way, changed]) => {
    const points = Math.round(10 * (trustOf(changed) - trustOf(facts))) / 10;
    return points > 0 ? [{ way, points }] : [];
  });
}
