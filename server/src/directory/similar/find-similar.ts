import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { toListingFlags } from '../../catalog/relations/listing-flags.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { readSimilar } from '../lists/entry-details.queries.ts';
import type { ListEntry } from '../lists/link-agents.ts';
import { buildLikeness } from '../search/build-search.ts';
import { matchOf } from '../search/match-conditions.sql.ts';
import { RANK_BOUNDS, rankMatches } from '../search/rank-matches.queries.ts';

const MAX_TAGS = 12;
const MAX_SIMILAR = 5;

/**
 * Returns up to five agents and skills that are most similar to one, best first. They are ranked as the matches of a
 * search for its name and tags. Returns none if the record has neither tags nor words.
 */
export async function findSimilar(connection: Connection, record: AgentRecord): Promise<ListEntry[]> {
  const text = [record.name, ...record.tags.slice(0, MAX_TAGS)].join(' ');
  const search = await buildLikeness(connection, text);
  const match = search && matchOf(search, [], true, SEARCH_WEIGHTS.needOfSimilar);
  if (search === null || match === null) return [];
  const ranked = await rankMatches(connection, search, match, () => [], {
    ...RANK_BOUNDS,
    ranked: MAX_SIMILAR + 1,
  });
  const others = ranked.map(({ agentId }) => agentId).filter((agentId) => agentId !== record.agentId);
  const rows = await readSimilar(connection, others.slice(0, MAX_SIMILAR));
  return rows.map(({ lowerBound, figuresAt, readAt, flags, ...found }) => ({
    record: found,
    lowerBound,
    figuresAt,
    readAt,
    flags: toListingFlags(flags ?? []),
  }));
}
