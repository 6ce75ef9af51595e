import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { Values } from './list-agents-stretches.sql.ts';
import type { PageChoice } from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';
import { type RankBounds, rankFewMatches, rankMatches } from './rank-matches.sql.ts';

/** A match of a search that is ranked one by one. */
export interface RankedMatch {
  agentId: string;
  subjectId: string;
  /** Doublings of stars. */
  popularity: number;
}

/** The best matches of a search, best first. */
export function readRanked(
  connection: Connection,
  { classes }: PageSearch,
  choice: PageChoice,
  bounds: RankBounds,
): Promise<RankedMatch[]> {
  const values = new Values();
  const sql = rankMatches(classes, choice, bounds, values);
  return connection.query<RankedMatch>(`${PLANNED_ANEW} ${sql}`, values.list);
}

/** The same where the whole search finds no more than one class may have. */
export function readFewRanked(
  connection: Connection,
  search: PageSearch,
  choice: PageChoice,
  bounds: RankBounds,
): Promise<RankedMatch[]> {
  const values = new Values();
  const sql = rankFewMatches(search, choice, bounds, values);
  return connection.query<RankedMatch>(`${PLANNED_ANEW} ${sql}`, values.list);
}
