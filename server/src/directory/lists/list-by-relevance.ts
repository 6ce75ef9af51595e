import type { Connection } from '../../database/connect.ts';
import type { Position } from './cursor.ts';
import { type ListedRow, readEntries } from './list-agents.repository.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import { type Stretch, stretchesOf } from './list-agents-stretches.sql.ts';
import type { PageChoice } from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';
import { type RankedMatch, readFewRanked, readRanked } from './rank-matches.repository.ts';
import type { RankBounds } from './rank-matches.sql.ts';

/**
 * The first 200 are ranked by class, popularity and trust; those behind them go by popularity alone. In a class of more
 * than 5,000 listings the best are looked for among the 5,000 most popular of the directory: where it has a million, that
 * are some 25 of such a class, a page.
 */
const BOUNDS: RankBounds = { ranked: 200, whole: 5_000, popular: 5_000 };

/** A row of the list, and its place among those that are ranked one by one; null behind them. */
export type PlacedRow = ListedRow & { place: number | null };

export interface RelevancePage {
  search: PageSearch;
  /** How many listings it matches before any choice. */
  found: number;
  choice: PageChoice;
  /** How many it finds. */
  total: number;
  after: (Position & { sort: 'relevance' }) | null;
  window: PageWindow;
  bounds?: RankBounds;
}

/** Reads matches by popularity, those behind the ranked ones, as any other list is read. */
export type ReadBehind = (stretches: readonly Stretch[], window: PageWindow) => Promise<ListedRow[]>;

/** One page of the matches of a search, best first. */
export async function listByRelevance(
  connection: Connection,
  { search, found, choice, total, after, window, bounds = BOUNDS }: RelevancePage,
  readBehind: ReadBehind,
): Promise<PlacedRow[]> {
  const read = found <= bounds.whole ? readFewRanked : readRanked;
  const ranked = await read(connection, search, choice, bounds);
  const from = after === null ? window.offset : after.place === null ? ranked.length : after.place + 1;
  const shown = ranked.slice(from, from + window.limit);
  const rows = await readEntries(connection, shown);
  const first = rows.map((row, at) => ({ ...row, place: from + at }));
  const missing = window.limit - shown.length;
  const isAll = ranked.length >= total;
  if (missing === 0 || isAll) return first;
  const behind =
    after === null || after.place !== null ? stretchesOf('relevance', null) : stretchesOf('relevance', after);
  const offset = after === null ? Math.max(0, window.offset - ranked.length) : 0;
  const rest = await readBehind(behind.map(without(ranked)), { offset, limit: missing });
  return [...first, ...rest.map((row) => ({ ...row, place: null }))];
}

/** A stretch without those that stand before it. */
function without(ranked: readonly RankedMatch[]): (stretch: Stretch) => Stretch {
  const ids = ranked.map(({ agentId }) => agentId);
  return (stretch) => (values) => [...stretch(values), `agent_id <> ALL (${values.add(ids)}::text[])`];
}
