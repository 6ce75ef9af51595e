import { formatCount, formatDay, formatPercent, formatScore } from '../../platform/text/display-formats.ts';
import { METHOD } from '../embedded/current-method.ts';
import { recordsOf } from '../embedded/signals-rs-2.0.0.ts';
import {
  type AccountFacts,
  type CreatorAccounts,
  type CreatorFacts,
  everyStanding,
  type Facts,
  type FurtherFactName,
  type Observed,
  type RepositoryFacts,
} from '../fact-types.ts';
import { type AccountKind, ATTESTATION_SOURCE } from '../facts/creator-identity.ts';
import type { Contribution } from '../scoring-backend.ts';

const { repository, creator, account, provedAccounts, lineage } = METHOD;

/** Labels of the kinds of accounts that the score counts. */
export const ACCOUNT_NAMES: Readonly<Record<AccountKind, string>> = {
  repoHost: 'Repository host',
  nodePackages: 'npm',
  pythonPackages: 'PyPI',
  professionalNetwork: 'Professional network',
};

const PROVED = `${formatPercent(provedAccounts.repoHost)} for a repository host, ${formatPercent(provedAccounts.nodePackages)} each for npm, PyPI and a professional network`;

function age(halfLife: number): string {
  return `half of its value at ${halfLife} days, then rising more slowly to full`;
}

/** Describes what gives a signal its full value, with the method's constants; null for another method's signal. */
export function signalNote(signal: string): string | null {
  return Object.hasOwn(NOTES, signal) ? (NOTES[signal] ?? null) : null;
}

const NOTES: Readonly<Record<string, string>> = {
  verified_listing: 'full once the owner has proved the account that holds the repository',
  creator_accounts: PROVED,
  creator_age: age(repository.creator_age.halfLife),
  official_maker: 'full if a namespace of the MCP registry, or a domain, is proved for the owner',
  package_confirmed: 'full if the registry of the package and the repository name each other',
  vulnerabilities: `of the published version: full without an open vulnerability, ${formatPercent(repository.vulnerabilities.severity.critical)} with a critical one, half of that if there is no fix`,
  provenance: `full if the registry attests where the published version was built, ${formatPercent(repository.provenance.value.none)} if not, 0 if an earlier version had an attestation`,
  freshness: `full on the day of a commit, half after ${repository.freshness.halfLife} days, less in the first months of a repository; finished, licensed projects keep at least ${formatPercent(repository.freshness.finished.value)}; 0, with half of the evidence, if the commit is unknown or was read long ago and a list says that the repository is archived, deprecated or no longer actively developed`,
  repository_age: age(repository.repository_age.halfLife),
  releases: `mean of their number, full at ${repository.releases.saturation}, and the age of the latest, half after ${repository.releases.halfLife} days`,
  contributors: `number on a logarithmic scale, full at ${repository.contributors.saturation}`,
  scorecard: 'the OpenSSF Scorecard of the repository, as a share of 10',
  security_policy: 'full if the repository says how to report vulnerabilities',
  lists: `full, with evidence that grows from the second list to the ${repository.lists.furtherLists + 1}th; lists that copy one another count once`,
  issue_load: `few open issues for its stars and forks, if both are known; none open counts ${formatPercent(repository.issue_load.noneOpen)}, because a tracker can be emptied`,
  stars: `on a logarithmic scale, full at ${formatCount(repository.stars.saturation)}; at most ${repository.starsPerFork} stars per fork and ${repository.starsPerDay} per day of age count; downloads if the stars are unknown`,
  forks: `on a logarithmic scale, full at ${formatCount(repository.forks.saturation)}`,
  license: `full for an approved open-source licence, ${formatPercent(repository.license.other)} for another licence, 0 without one; half of the evidence if only a list states it`,
  metadata: 'the share of the known ones that is present; the evidence grows with the number that is known',
  lineage: `trust passed on by a parent, ${formatPercent(lineage.perGeneration)} per generation, half of that if only claimed; counts only if it raises trust`,
  verified_accounts: `${PROVED}; known accounts never lower trust`,
  account_age: age(creator.account_age.halfLife),
  portfolio: "the trust of the creator's own agents and skills, weighted by confidence",
  graph_equity: 'rank among creators who build on each other, starting from a fixed set of known creators',
  verified_mark: "the platform's own verification mark",
  audience: `on a logarithmic scale, full at ${formatCount(account.audience.saturation)}`,
  engagement: `reactions or views per post: full at ${formatPercent(account.engagement.target.social_account)} (social) or ${formatPercent(account.engagement.target.messaging_account)} (messaging) of the audience`,
  recency: `half after ${account.recency.halfLife} days without a post`,
  cross_link: `full if profile and repository host link to each other, ${formatPercent(account.cross_link.value.one)} for one direction`,
};

/** Signals that a repository's host provides. */
const HOST_SIGNALS: ReadonlySet<string> = new Set([
  'freshness',
  'issue_load',
  'stars',
  'forks',
  'license',
  'repository_age',
]);

/** Signals that an account's profile on its platform provides. */
const PROFILE_SIGNALS: ReadonlySet<string> = new Set([
  'verified_mark',
  'account_age',
  'audience',
  'engagement',
  'recency',
  'cross_link',
]);

/**
 * Value of `creator_accounts` and `verified_accounts` for a creator without an account that counts. Social and messaging
 * accounts do not count.
 */
const NO_KNOWN_ACCOUNT = 'none known that counts';

const WORDS: Readonly<Record<string, string>> = {
  verified_listing: 'not claimed',
  official_maker: 'no proof known',
  package_confirmed: 'none known',
  creator_accounts: NO_KNOWN_ACCOUNT,
  verified_accounts: NO_KNOWN_ACCOUNT,
  portfolio: 'none scored yet',
  graph_equity: 'none known',
};

/** Signals about the package of a repository. */
const PACKAGE_SIGNALS: ReadonlySet<string> = new Set(['vulnerabilities', 'provenance']);

/** Returns true for a signal about a package, if no package counts as the repository's own. */
export function lacksPackage(signal: string, contributions: readonly Contribution[]): boolean {
  if (!PACKAGE_SIGNALS.has(signal)) return false;
  return contributions.some((other) => other.signal === 'package_confirmed' && other.status === 'missing');
}

/**
 * Explains why a fact is missing. Some signals have a specific text. For the others, returns `not stated` if the score
 * has another fact from the same source, because then the source was read; otherwise `not fetched yet`.
 */
export function whyMissing(
  { signal }: Contribution,
  contributions: readonly Contribution[],
  host: string | null,
): string {
  const word = Object.hasOwn(WORDS, signal) ? WORDS[signal] : undefined;
  if (word !== undefined) return word;
  if (lacksPackage(signal, contributions)) return 'no confirmed package';
  const seen = contributions.filter(({ status }) => status === 'observed');
  const isRead = HOST_SIGNALS.has(signal)
    ? seen.some(({ source }) => source === host)
    : PROFILE_SIGNALS.has(signal) && seen.some((other) => PROFILE_SIGNALS.has(other.signal));
  return isRead ? 'not stated' : 'not fetched yet';
}

const NAMES: Readonly<Record<string, string>> = {
  verified_listing: 'Proof of the owner',
  creator_accounts: 'Known accounts of the creator',
  creator_age: "Age of the creator's account",
  official_maker: 'Namespace proved for the owner',
  package_confirmed: 'Package and repository name each other',
  vulnerabilities: 'Open vulnerabilities of the package',
  provenance: 'Provenance of the package',
  freshness: 'Last commit',
  repository_age: 'Age of the repository',
  releases: 'Releases',
  contributors: 'Contributors',
  scorecard: 'OpenSSF Scorecard',
  security_policy: 'Security policy',
  lists: 'Independent lists',
  issue_load: 'Open issues',
  stars: 'Stars',
  forks: 'Forks',
  license: 'Licence',
  metadata: 'Description, tags, category, site',
  lineage: 'Lineage',
  verified_accounts: 'Known accounts',
  account_age: 'Age of the account',
  portfolio: 'Own agents and skills',
  graph_equity: 'Rank among creators',
  verified_mark: "The platform's verified mark",
  audience: 'Audience',
  engagement: 'Engagement',
  recency: 'Last post',
  cross_link: 'Link with the repository host',
  malware: 'the published version of its package has malware',
  archived: 'the repository is archived',
  deprecated: 'it is marked deprecated',
  no_license: 'it has no licence',
  young_repository: `the repository is younger than ${METHOD.caps.young_repository.underDays} days`,
  scam_flag: 'the platform marks it as a scam',
  audience_spike: `audience grew more than ${formatPercent(METHOD.caps.audience_spike.aboveGrowth)} in a day`,
  young_account: `the account is younger than ${METHOD.caps.young_account.underDays} days`,
};

/** Returns the label of a signal or cap of our methods; null for a name that only a remote backend uses. */
export function signalLabel(signal: string): string | null {
  return Object.hasOwn(NAMES, signal) ? (NAMES[signal] ?? null) : null;
}

/**
 * Returns a label as it is written within a sentence: its first word in lower case, unless this word has a capital
 * letter inside, such as OpenSSF.
 */
export function inSentence(label: string): string {
  return label.replace(/^[A-Z][a-z]*(?![A-Za-z])/, (word) => word.toLowerCase());
}

/** Describes the observed value of a signal in words; null if the score's facts lack it. */
export function describeObserved(signal: string, facts: Facts | null): string | null {
  if (facts === null) return null;
  if ('parents' in facts) return describeRepositorySignal(signal, facts);
  if ('portfolio' in facts) return describeCreatorSignal(signal, facts);
  return 'crossLink' in facts ? describeAccountSignal(signal, facts) : null;
}

function describeRepositorySignal(signal: string, facts: RepositoryFacts): string | null {
  switch (signal) {
    case 'verified_listing':
      return facts.verified && (facts.verified.value ? 'verified' : 'not claimed');
    case 'creator_accounts':
      return facts.creatorAccounts && provedKinds(facts.creatorAccounts);
    case 'creator_age': {
      const dates = [
        facts.creatorAccountCreatedAt?.value,
        ...recordsOf(facts, 'owner_account').map(({ value }) => value.createdAt),
      ].filter((date) => date != null);
      const [earliest] = dates.sort();
      return earliest === undefined ? null : `since ${formatDay(earliest)}`;
    }
    case 'repository_age':
      return facts.repositoryCreatedAt && `since ${formatDay(facts.repositoryCreatedAt)}`;
    case 'lists':
      return facts.lists ? formatCount(facts.lists.value) : null;
    case 'package_confirmed':
      return facts.packageConfirmed ? 'yes' : null;
    case 'freshness':
      return describeActivity(facts);
    case 'issue_load':
      return facts.openIssues && formatCount(facts.openIssues.value);
    case 'stars':
      return facts.stars ? formatCount(facts.stars.value) : describeDownloads(facts);
    case 'forks':
      return facts.forks && formatCount(facts.forks.value);
    case 'license':
      return facts.license?.value ?? null;
    case 'metadata':
      return facts.metadata && describeParts(Object.values(facts.metadata.value));
    case 'lineage':
      return 'trust equity of a parent';
    default:
      return describeFurtherFact(signal, facts);
  }
}

const STATUS_WORDS = {
  archived: 'archived',
  deprecated: 'deprecated',
  unmaintained: 'no longer actively developed',
} as const;

/** Describes the last commit, and the status that a list states; the text says that the status comes from a list. */
function describeActivity(facts: RepositoryFacts): string | null {
  const stated = recordsOf(facts, 'stated_status').map(
    ({ value: { status, since } }) =>
      `a list says: ${STATUS_WORDS[status]}${since === null ? '' : ` since ${since}`}`,
  );
  const parts = [...(facts.lastCommitAt === null ? [] : [formatDay(facts.lastCommitAt.value)]), ...stated];
  return parts.length === 0 ? null : parts.join('; ');
}

function describeDownloads(facts: RepositoryFacts): string | null {
  const [read] = recordsOf(facts, 'published_package').flatMap(({ value }) => value.monthlyDownloads ?? []);
  const monthly = read ?? facts.monthlyDownloads?.value;
  return monthly === undefined ? null : `${formatCount(monthly)} downloads a month`;
}

/** Words for the provenance of a package, worst first. */
const PROVENANCE = { lost: 'an earlier version had it', none: 'none', attested: 'attested' } as const;

/**
 * Describes the observed value of a signal that rs-2.0.0 reads from a fact in `observed`. If several sources state the
 * fact, uses the first one, but the worst provenance, and the vulnerabilities of all packages.
 */
function describeFurtherFact(signal: string, facts: RepositoryFacts): string | null {
  const first = <Name extends FurtherFactName>(name: Name) => recordsOf(facts, name)[0]?.value;
  switch (signal) {
    case 'official_maker':
      return first('official_maker')?.namespace ?? null;
    case 'vulnerabilities': {
      // A listing may have several packages. The signal counts the worst one, so count the vulnerabilities of all.
      const standings = recordsOf(facts, 'package_standing').flatMap(({ value }) => everyStanding(value));
      if (standings.length === 0) return null;
      if (standings.some(({ published }) => published === 'malware')) return 'malware';
      const number = standings.reduce((sum, { vulnerabilities }) => sum + vulnerabilities.length, 0);
      return number === 0 ? 'none' : formatCount(number);
    }
    case 'provenance': {
      const known = recordsOf(facts, 'published_package').flatMap(({ value }) => value.provenance ?? []);
      // The order of `PROVENANCE` is that of the signal, of which the lowest value counts.
      const worst = (Object.keys(PROVENANCE) as (keyof typeof PROVENANCE)[]).find((each) =>
        known.includes(each),
      );
      return worst === undefined ? null : PROVENANCE[worst];
    }
    case 'releases':
    case 'contributors': {
      const count = first(signal)?.count;
      return count === undefined ? null : formatCount(count);
    }
    case 'scorecard': {
      const score = first('scorecard')?.score;
      return score === undefined ? null : `${score} of 10`;
    }
    case 'security_policy': {
      const present = first('security_policy')?.present;
      return present === undefined ? null : present ? 'yes' : 'none';
    }
    default:
      return null;
  }
}

function describeCreatorSignal(signal: string, facts: CreatorFacts): string | null {
  switch (signal) {
    case 'verified_accounts':
      return facts.accounts && provedKinds(facts.accounts);
    case 'account_age':
      return facts.accountCreatedAt && `since ${formatDay(facts.accountCreatedAt.value)}`;
    case 'portfolio':
      return facts.portfolio && `${formatCount(facts.portfolio.listings)} scored`;
    case 'graph_equity':
      return facts.graphEquity && `${formatScore(100 * facts.graphEquity.value)} of 100`;
    default:
      return null;
  }
}

const CROSS_LINKS = { both: 'in both directions', one: 'in one direction', none: 'no link' } as const;

function describeAccountSignal(signal: string, facts: AccountFacts): string | null {
  switch (signal) {
    case 'verified_mark':
      return facts.verifiedMark && (facts.verifiedMark.value ? 'yes' : 'no');
    case 'account_age':
      return facts.accountCreatedAt && `since ${formatDay(facts.accountCreatedAt.value)}`;
    case 'audience':
      return facts.audience && formatCount(facts.audience.value);
    case 'engagement':
      return facts.engagement && formatPercent(facts.engagement.value);
    case 'recency':
      return facts.lastPostAt && formatDay(facts.lastPostAt.value);
    case 'cross_link':
      return facts.crossLink && CROSS_LINKS[facts.crossLink.value];
    default:
      return null;
  }
}

/** Lists the known kinds of accounts by the names that the creator's card on a page uses. */
function provedKinds({ value, source }: Observed<CreatorAccounts>): string {
  const kinds = (Object.keys(ACCOUNT_NAMES) as AccountKind[]).filter((kind) => value[kind]);
  if (kinds.length === 0) return NO_KNOWN_ACCOUNT;
  const names = kinds.map((kind) => ACCOUNT_NAMES[kind]).join(', ');
  return source === ATTESTATION_SOURCE ? `${names}, by the MCP registry` : names;
}

/** Returns how many of the known parts are present, such as "2 of 3 known". */
function describeParts(parts: readonly (boolean | null)[]): string {
  const known = parts.filter((part) => part !== null);
  return `${known.filter(Boolean).length} of ${known.length} known`;
}
