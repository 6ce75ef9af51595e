import { METHOD } from '../../../scoring/embedded/method-rs-1.0.0.ts';
import type {
  AccountFacts,
  CreatorAccounts,
  CreatorFacts,
  Facts,
  Observed,
  RepositoryFacts,
} from '../../../scoring/fact-types.ts';
import {
  type AccountKind,
  ATTESTATION_SOURCE,
  PROOF_SOURCE,
} from '../../../scoring/facts/creator-identity.ts';
import type { Contribution } from '../../../scoring/scoring-backend.ts';
import { formatCount, formatDay, formatPercent, formatScore } from '../../components/formatting.tsx';
import { ACCOUNT_NAMES } from './signal-sources.ts';

const { repository, creator, account, provedAccounts, lineage } = METHOD;

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
  freshness: `full on the day of a commit, half after ${repository.freshness.halfLife} days; finished, licensed work keeps ${formatPercent(repository.freshness.finished.value)}`,
  issue_load: `few open issues for its size; none open counts ${formatPercent(repository.issue_load.noneOpen)}, because a tracker can be emptied`,
  stars: `on a logarithmic scale, full at ${formatCount(repository.stars.saturation)}; at most ${repository.starsPerFork} stars per fork count`,
  forks: `on a logarithmic scale, full at ${formatCount(repository.forks.saturation)}`,
  license: `full for an approved open-source licence, ${formatPercent(repository.license.other)} for another licence, 0 without one`,
  metadata: 'the share of these that is present',
  lineage: `trust passed on by a parent, ${formatPercent(lineage.perGeneration)} per generation, half of that if only claimed; counts only if it raises trust`,
  verified_accounts: PROVED,
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
const HOST_SIGNALS: ReadonlySet<string> = new Set(['freshness', 'issue_load', 'stars', 'forks', 'license']);

/** Signals that an account's profile on its platform provides. */
const PROFILE_SIGNALS: ReadonlySet<string> = new Set([
  'verified_mark',
  'account_age',
  'audience',
  'engagement',
  'recency',
  'cross_link',
]);

const WORDS: Readonly<Record<string, string>> = {
  creator_accounts: 'none verified',
  verified_accounts: 'none verified',
  portfolio: 'none scored yet',
  graph_equity: 'none known',
};

/**
 * Explains why a fact is missing. Some signals have a text of their own. For the others: `not stated` if the score has
 * another fact from the same source, so that the source was read; otherwise `not fetched yet`.
 */
export function whyMissing(
  { signal }: Contribution,
  contributions: readonly Contribution[],
  host: string | null,
): string {
  const word = Object.hasOwn(WORDS, signal) ? WORDS[signal] : undefined;
  if (word !== undefined) return word;
  const seen = contributions.filter(({ status }) => status === 'observed');
  const isRead = HOST_SIGNALS.has(signal)
    ? seen.some(({ source }) => source === host)
    : PROFILE_SIGNALS.has(signal) && seen.some((other) => PROFILE_SIGNALS.has(other.signal));
  return isRead ? 'not stated' : 'not fetched yet';
}

const NAMES: Readonly<Record<string, string>> = {
  verified_listing: 'Verified listing',
  creator_accounts: 'Verified accounts of the creator',
  creator_age: "Age of the creator's account",
  freshness: 'Last commit',
  issue_load: 'Open issues',
  stars: 'Stars',
  forks: 'Forks',
  license: 'Licence',
  metadata: 'Description, tags, category, site',
  lineage: 'Lineage',
  verified_accounts: 'Verified accounts',
  account_age: 'Age of the account',
  portfolio: 'Own agents and skills',
  graph_equity: 'Rank among creators',
  verified_mark: "The platform's verified mark",
  audience: 'Audience',
  engagement: 'Engagement',
  recency: 'Last post',
  cross_link: 'Link with the repository host',
  archived: 'the repository is archived',
  deprecated: 'it is marked deprecated',
  no_license: 'it has no licence',
  young_repository: `the repository is younger than ${METHOD.caps.young_repository.underDays} days`,
  scam_flag: 'the platform marks it as a scam',
  audience_spike: `audience grew more than ${formatPercent(METHOD.caps.audience_spike.aboveGrowth)} in a day`,
  young_account: `the account is younger than ${METHOD.caps.young_account.underDays} days`,
};

/** Returns the label of a signal or cap of the method; null for a backend's own name. */
export function signalLabel(signal: string): string | null {
  return Object.hasOwn(NAMES, signal) ? (NAMES[signal] ?? null) : null;
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
    case 'creator_age':
      return facts.creatorAccountCreatedAt && `since ${formatDay(facts.creatorAccountCreatedAt.value)}`;
    case 'freshness':
      return facts.lastCommitAt && formatDay(facts.lastCommitAt.value);
    case 'issue_load':
      return facts.openIssues && formatCount(facts.openIssues.value);
    case 'stars':
      if (facts.stars) return formatCount(facts.stars.value);
      return facts.monthlyDownloads && `${formatCount(facts.monthlyDownloads.value)} downloads a month`;
    case 'forks':
      return facts.forks && formatCount(facts.forks.value);
    case 'license':
      return facts.license?.value ?? null;
    case 'metadata':
      return facts.metadata && givenCount(Object.values(facts.metadata.value));
    case 'lineage':
      return 'trust equity of a parent';
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

/** Lists the kinds of accounts that are proved, in the words of the creator's card. */
function provedKinds({ value, source }: Observed<CreatorAccounts>): string {
  const kinds = (Object.keys(ACCOUNT_NAMES) as AccountKind[]).filter((kind) => value[kind]);
  if (kinds.length === 0) return source === PROOF_SOURCE ? 'none that count' : 'none verified';
  const names = kinds.map((kind) => ACCOUNT_NAMES[kind]).join(', ');
  return source === ATTESTATION_SOURCE ? `${names}, by the MCP registry` : names;
}

function givenCount(items: readonly (boolean | null)[]): string {
  const applying = items.filter((item) => item !== null);
  return `${applying.filter(Boolean).length} of ${applying.length}`;
}
