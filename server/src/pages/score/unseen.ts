import type { Contribution } from '../../scoring/scoring-backend.ts';

/** Signals whose fact a repository's host tells, once it is read. */
const OF_THE_HOST: ReadonlySet<string> = new Set(['freshness', 'issue_load', 'stars', 'forks', 'license']);
/** What the profile of an account on a platform tells. */
const OF_THE_PROFILE: ReadonlySet<string> = new Set([
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
 * Why a fact is missing: `not stated` where its source was read and says nothing of it, `not fetched yet` where nobody has
 * read it. Told from the score itself, which names the source of everything else it was made of.
 */
export function whyMissing(
  { signal }: Contribution,
  contributions: readonly Contribution[],
  host: string | null,
): string {
  const word = Object.hasOwn(WORDS, signal) ? WORDS[signal] : undefined;
  if (word !== undefined) return word;
  const seen = contributions.filter(({ status }) => status === 'observed');
  const isRead = OF_THE_HOST.has(signal)
    ? seen.some(({ source }) => source === host)
    : OF_THE_PROFILE.has(signal) && seen.some((other) => OF_THE_PROFILE.has(other.signal));
  return isRead ? 'not stated' : 'not fetched yet';
}
