import { licenseClass } from '../embedded/license-class.ts';
import { repositoryScore } from '../embedded/repository-score.ts';
import type { CreatorAccounts, Observed, RepositoryFacts } from '../facts/repository-facts.ts';

/** What an owner can do. Only what makes the thing better or shows what is true; popularity is nobody's to make. */
export type Way =
  | 'claim'
  | 'state_license'
  | 'describe'
  | 'prove_npm'
  | 'prove_pypi'
  | 'prove_network'
  | 'acknowledgement'
  | 'commit'
  | 'close_issues'
  | 'unarchive';

/** A way with the points of trust that it alone would bring now. */
export interface WayToRaise {
  way: Way;
  /** One decimal, as trust has; above 0. */
  points: number;
  /** For `describe`: what is missing. */
  missing?: readonly string[];
  /** For `commit`: the latest commit that is known, ISO 8601. */
  lastCommitAt?: string;
}

/** What is scored, as its page knows it. */
export interface Raisable {
  facts: RepositoryFacts;
  type: 'agent' | 'skill';
  /** Something inside a repository has no tags, category or site of its own. */
  isPart: boolean;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** The moment of the score. */
  now: Date;
}

const SHOWN = 3;
/** A commit of the last month is as good as one of today. */
const OLD_COMMIT_DAYS = 30;
/** What was read longer ago than this may have been done since. */
const OLD_READING_DAYS = 60;
const DAY_MS = 86_400_000;

type Change = (of: Raisable, seen: Seen) => Partial<RepositoryFacts> | null;
type Seen = <Value>(value: Value) => Observed<Value>;

/** Cheapest first: a minute, then an account or a person to ask, then work. What does not apply changes nothing. */
const CHANGES: readonly (readonly [Way, Change])[] = [
  [
    'claim',
    ({ facts }, seen) =>
      facts.verified?.value ? null : { verified: seen(true), ...proving('repoHost', facts, seen) },
  ],
  [
    'state_license',
    ({ facts, now }, seen) =>
      hasLicense(facts) || isOldReading(facts.license, now) ? null : { license: seen('MIT') },
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
  [
    'commit',
    ({ facts, now }, seen) => (isOldCommit(facts, now) ? { lastCommitAt: seen(now.toISOString()) } : null),
  ],
  [
    'close_issues',
    ({ facts: { openIssues }, now }, seen) =>
      openIssues === null || openIssues.value < 2 || isOldReading(openIssues, now)
        ? null
        : { openIssues: seen(Math.ceil(openIssues.value / 2)) },
  ],
  [
    'unarchive',
    ({ facts, now }) =>
      facts.archived === true && !isOldReading(lastReading(facts), now) ? { archived: false } : null,
  ],
];

/**
 * The three cheapest ways to more trust, with the points of each: the method scores the same facts with that one changed.
 * What would bring nothing is left out,
 * and what rests on a reading of more than 60 days ago.
 */
export function waysToRaise(of: Raisable): WayToRaise[] {
  const { facts, type, now } = of;
  const trustOf = (known: RepositoryFacts) => repositoryScore(known, type, now).full.trust;
  const before = trustOf(facts);
  const seen: Seen = (value) => ({ value, observedAt: now.toISOString(), source: 'owner' });
  const ways: WayToRaise[] = [];
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

function detailOf(way: Way, of: Raisable): Pick<WayToRaise, 'missing' | 'lastCommitAt'> {
  const { lastCommitAt } = of.facts;
  if (way === 'describe') return { missing: missingTexts(of) };
  return way === 'commit' && lastCommitAt !== null ? { lastCommitAt: lastCommitAt.value } : {};
}

function describe(of: Raisable, seen: Seen): Partial<RepositoryFacts> | null {
  const { metadata } = of.facts;
  const missing = missingTexts(of);
  if (metadata === null || missing.length === 0 || isOldReading(metadata, of.now)) return null;
  const given = Object.fromEntries(missing.map((name) => [name, true]));
  return { metadata: seen({ ...metadata.value, ...given }) };
}

function missingTexts({ facts: { metadata }, isPart }: Raisable): string[] {
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
  // Claiming proves an account that a registry vouches for already.
  return known[kind] && kind !== 'repoHost' ? null : { creatorAccounts: seen({ ...known, [kind]: true }) };
}

function hasLicense({ license }: RepositoryFacts): boolean {
  const kind = license === null ? null : licenseClass(license.value);
  return kind === 'osi' || kind === 'other';
}

function isOldCommit({ lastCommitAt }: RepositoryFacts, now: Date): boolean {
  if (lastCommitAt === null || isOldReading(lastCommitAt, now)) return false;
  return now.getTime() - Date.parse(lastCommitAt.value) > OLD_COMMIT_DAYS * DAY_MS;
}

/** False of what was never read: advice to state it rests on no reading. */
function isOldReading(fact: Observed<unknown> | null, now: Date): boolean {
  return fact !== null && now.getTime() - Date.parse(fact.observedAt) > OLD_READING_DAYS * DAY_MS;
}

/** The archive has no date of its own: it came with the newest of these. */
function lastReading({ lastCommitAt, openIssues, stars, forks }: RepositoryFacts): Observed<unknown> | null {
  const readings = [lastCommitAt, openIssues, stars, forks].filter((fact) => fact !== null);
  return readings.sort((a, b) => Date.parse(b.observedAt) - Date.parse(a.observedAt))[0] ?? null;
}
