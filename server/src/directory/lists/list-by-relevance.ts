import type { Connection } from '../../platform/database/connect.ts';
import { isNotNamed, type Ranking, type SearchMatches } from '../search/rank-matches.queries.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type ListedRow, readEntries } from './list-agents.queries.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import { SORTS } from './sorts.ts';

/** A row of the list. `place` is its position among the compared matches; null for the matches after those. */
export type PlacedRow = ListedRow & { place: number | null };

/** Position of a page's last entry. */
export interface RelevancePosition {
  place: number | null;
  popularity: number;
  agentId: string;
}

interface RelevancePage {
  /** The compared matches; not needed after an entry behind them. */
  ranking: Ranking | null;
  after: RelevancePosition | null;
  window: PageWindow;
}

/** Reads the matches after the compared ones, by popularity. */
type ReadOthers = (keyRanges: readonly KeyRange[], window: PageWindow) => Promise<ListedRow[]>;

/**
 * Returns one page of the matches: the compared ones, then the others by popularity. A page behind the compared matches
 * does not compare them again (`many-matches.db.test.ts`).
 */
export async function listByRelevance(
  connection: Connection,
  matches: SearchMatches,
  { ranking, after, window }: RelevancePage,
  readOthers: ReadOthers,
): Promise<PlacedRow[]> {
  const { ranked, last } = ranking ?? { ranked: [], last: after };
  const from = after === null ? window.offset : placeAfter(after, ranked);
  const shown = ranked.slice(from, from + window.limit);
  const rows = await readEntries(connection, shown);
  const first = rows.map((row, at) => ({ ...row, place: from + at }));
  const missing = window.limit - shown.length;
  if (missing === 0 || last === null) return first;
  const offset = after === null ? Math.max(0, window.offset - ranked.length) : 0;
  const behind = SORTS.relevance.after([null, last.popularity], last.agentId).map(
    (range): KeyRange =>
      (values) => [...range(values), isNotNamed(matches, values)],
  );
  const others = await readOthers(behind, { offset, limit: missing });
  return [...first, ...others.map((row) => ({ ...row, place: null }))];
}

/** Returns the place after an entry, wherever it is ranked by now; after its former place if it is not ranked any more. */
function placeAfter({ place, agentId }: RelevancePosition, ranked: Ranking['ranked']): number {
  if (place === null) return ranked.length;
  const found = ranked.findIndex((match) => match.agentId === agentId);
  return found < 0 ? place : found + 1;
}
