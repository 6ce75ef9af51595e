import { METHOD } from '../../scoring/embedded/rs-1.0.0.ts';
import type { AccountFacts } from '../../scoring/facts/account-facts.ts';
import type { AccountKind } from '../../scoring/facts/accounts-known.ts';
import type { CreatorFacts } from '../../scoring/facts/creator-facts.ts';
import { ATTESTING_SOURCE, PROOF_SOURCE } from '../../scoring/facts/creator-identity.ts';
import type { CreatorAccounts, Observed, RepositoryFacts } from '../../scoring/facts/repository-facts.ts';
import type { Facts } from '../../scoring/scoring-backend.ts';
import { formatCount, formatDay, formatPercent, formatScore } from '../../ui/text.tsx';
import { ACCOUNT_NAMES } from './account-names.ts';

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

/** What people call a signal or cap of the method; null for one that a backend named itself. */
export function nameOfSignal(signal: string): string | null {
  return Object.hasOwn(NAMES, signal) ? (NAMES[signal] ?? null) : null;
}

/** What a signal was read from, in words; null where the facts of the score do not tell. */
export function describeSeen(signal: string, facts: Facts | null): string | null {
  if (facts === null) return null;
  if ('parents' in facts) return seenOfRepository(signal, facts);
  if ('portfolio' in facts) return seenOfCreator(signal, facts);
  return 'crossLink' in facts ? seenOfAccount(signal, facts) : null;
}

function seenOfRepository(signal: string, facts: RepositoryFacts): string | null {
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
      return 'equity of a parent';
    default:
      return null;
  }
}

function seenOfCreator(signal: string, facts: CreatorFacts): string | null {
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

function seenOfAccount(signal: string, facts: AccountFacts): string | null {
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

/** Which they are, in the words of the creator's card. */
function provedKinds({ value, source }: Observed<CreatorAccounts>): string {
  const kinds = (Object.keys(ACCOUNT_NAMES) as AccountKind[]).filter((kind) => value[kind]);
  if (kinds.length === 0) return source === PROOF_SOURCE ? 'none that count' : 'none verified';
  const names = kinds.map((kind) => ACCOUNT_NAMES[kind]).join(', ');
  return source === ATTESTING_SOURCE ? `${names}, by the MCP registry` : names;
}

function givenCount(items: readonly (boolean | null)[]): string {
  const applying = items.filter((item) => item !== null);
  return `${applying.filter(Boolean).length} of ${applying.length}`;
}
