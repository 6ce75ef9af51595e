import type { Connection } from '../../platform/database/connect.ts';
import { artifactsInside } from '../listings/listing-aliases.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { loadScorecards } from './observed-facts.queries.ts';
import { type ObservedFact, saveFacts } from './observed-facts.ts';

/** Name of the source of OpenSSF Scorecard results. */
export const SCORECARD_SOURCE = 'scorecard';

/** Licence of the published results. */
const LICENSE = 'CDLA-Permissive-2.0';

/** Result of OpenSSF Scorecard for a repository, 0 to 10. */
export interface ScorecardRow {
  /** Repository host, lower case. */
  host: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  score: number;
  /** Time of the run, ISO 8601 UTC; null if the result states none. */
  ranAt: string | null;
}

/** Converts a result to a fact about the listing of the examined repository. */
export function scorecardFact(subjectId: string, row: ScorecardRow): ObservedFact {
  const { host, repository, score, ranAt } = row;
  const [owner = '', name = ''] = repository.split('/').map(encodeURIComponent);
  return {
    subjectId,
    fact: 'scorecard',
    value: { score, ranAt },
    source: SCORECARD_SOURCE,
    url: `https://api.securityscorecards.dev/projects/${encodeURIComponent(host)}/${owner}/${name}`,
    license: LICENSE,
  };
}

/**
 * Stores a batch of results of OpenSSF Scorecard. If a repository has several results, the latest run counts, whatever
 * the order of import. A result counts as observed at its run, or if it states no time, at `readAt`, by default now.
 * Results of repositories that are not listed are rejected. The caller is in a transaction and has called lockRegistry.
 */
export async function saveScorecards(
  connection: Connection,
  rows: readonly ScorecardRow[],
  readAt: Date | null,
): Promise<SavedBatch> {
  const found = await loadScorecards(connection, rows, SCORECARD_SOURCE);
  const stored = new Map(found.map(({ place, ...listing }) => [place, listing]));
  const latest = new Map<string, ScorecardRow>();
  const outcomes: RowOutcome[] = rows.map((row, place) => {
    const listing = stored.get(place);
    if (listing === undefined) return { code: 'not_listed', reason: 'the repository is not listed' };
    const before = latest.get(listing.id) ?? listing.scorecard;
    if (before !== null && !isLater(row, before)) return 'unchanged';
    latest.set(listing.id, row);
    return listing.scorecard === null ? 'added' : 'changed';
  });
  await lockSubjects(connection, [...latest.keys()]);
  const changed = await saveFacts(
    connection,
    [...latest].map(([id, row]) => {
      const observedAt = row.ranAt ?? readAt?.toISOString();
      return { ...scorecardFact(id, row), ...(observedAt !== undefined && { observedAt }) };
    }),
  );
  const inside = await artifactsInside(connection, changed);
  return { outcomes, saved: [], due: [...changed, ...inside], dueByLineage: [] };
}

/** Returns true if the first result is of a later run, or of the same time with a higher score. */
function isLater(one: Pick<ScorecardRow, 'score' | 'ranAt'>, other: typeof one): boolean {
  const times = [Date.parse(one.ranAt ?? ''), Date.parse(other.ranAt ?? '')].map((time) => time || 0);
  const [own = 0, before = 0] = times;
  return own > before || (own === before && one.score > other.score);
}
