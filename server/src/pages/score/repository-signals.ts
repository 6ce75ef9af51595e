import type { Contribution, Facts } from '../../scoring/scoring-backend.ts';

const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  'verified_listing',
  'freshness',
  'issue_load',
  'stars',
  'forks',
  'license',
]);

/** Whether a signal of something inside a repository was read from the repository as a whole. */
export function isOfRepository({ signal, status }: Contribution, facts: Facts | null): boolean {
  if (status === 'not_applicable' || !OF_THE_WHOLE.has(signal)) return false;
  // Where downloads stand in for stars they are of the package, which is named by this one alone.
  const readsDownloads =
    facts !== null && 'stars' in facts && facts.stars === null && facts.monthlyDownloads !== null;
  return !(signal === 'stars' && readsDownloads);
}
