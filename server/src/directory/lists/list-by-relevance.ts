import type { Connection } from '../../platform/database/connect.ts';
import { isNotNamed, type Ranking, type SearchMatches } from '../search/rank-matches.queries.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type ListedRow, type PageWindow, readEntries } from './list-agents.queries.ts';
import { SORTS } from './sorts.ts';

/** A row of the list. `place` is its index among the ranked matches; null for the matches that follow by popularity. */
export type PlacedRow = ListedRow & { place: number | null };

/** Position of a page's last entry. `place` is its index among the ranked matches; null for an entry after them. */
export interface RelevancePosition {
  place: number | null;
  popularity: number;
  agentId: string;
}

interface RelevancePage {
  /** The ranked matches; null for a page that begins after the last of them. */
  ranking: Ranking | null;
  after: RelevancePosition | null;
  window: PageWindow;
}

/** Reads the matches after the ranked ones, by popularity. */
type ReadOthers = (keyRanges: readonly KeyRange[], window: PageWindow) => Promise<ListedRow[]>;

/**
 * Returns one page of the matches: the ranked ones, then the others by popularity. A page after the ranked matches does
 * not rank them again (`many-matches.db.test.ts`).
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

/**
 * Returns the index at which the page after an entry begins: one after the entry's current index, or the entry's former
 * index if it is no longer ranked.
 */
function placeAfter({ place, agentId }: RelevancePosition, ranked: Ranking['ranked']): number {
  if (place === null) return ranked.length;
  const found = ranked.findIndex((match) => match.agentId === agentId);
  return found < 0 ? place : found + 1;
}
