import type { Connection } from '../../platform/database/connect.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type ListedRow, readEntries } from './list-agents.queries.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import type { RankedMatch } from './rank-matches.queries.ts';
import { SORTS } from './sorts.ts';

/**
 * A row of the list. `place` is its position among the individually ranked matches; null for the matches after those.
 */
export type PlacedRow = ListedRow & { place: number | null };

interface RelevancePage {
  /** Individually ranked matches, best first. */
  ranked: readonly RankedMatch[];
  /** True if there are no other matches. */
  hasAll: boolean;
  after: { place: number | null; popularity: number; agentId: string } | null;
  window: PageWindow;
}

/** Reads the matches after the ranked ones, by popularity. */
type ReadUnranked = (keyRanges: readonly KeyRange[], window: PageWindow) => Promise<ListedRow[]>;

/** Returns one page of the matches: the ranked ones, then the others by popularity. */
export async function listByRelevance(
  connection: Connection,
  { ranked, hasAll, after, window }: RelevancePage,
  readUnranked: ReadUnranked,
): Promise<PlacedRow[]> {
  const from = after === null ? window.offset : after.place === null ? ranked.length : after.place + 1;
  const shown = ranked.slice(from, from + window.limit);
  const rows = await readEntries(connection, shown);
  const first = rows.map((row, at) => ({ ...row, place: from + at }));
  const missing = window.limit - shown.length;
  if (missing === 0 || hasAll) return first;
  const behind =
    after === null || after.place !== null
      ? SORTS.relevance.whole
      : SORTS.relevance.after([null, after.popularity], after.agentId);
  const offset = after === null ? Math.max(0, window.offset - ranked.length) : 0;
  const rest = await readUnranked(behind.map(excluding(ranked)), { offset, limit: missing });
  return [...first, ...rest.map((row) => ({ ...row, place: null }))];
}

/** Excludes the ranked matches from a key range. */
function excluding(ranked: readonly RankedMatch[]): (keyRange: KeyRange) => KeyRange {
  const ids = ranked.map(({ agentId }) => agentId);
  return (keyRange) => (values) => [...keyRange(values), `agent_id <> ALL (${values.add(ids)}::text[])`];
}
