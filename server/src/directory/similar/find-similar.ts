import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { toListingFlags } from '../../catalog/relations/listing-flags.ts';
import { loadPublicPaths, publicPathsOf } from '../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { type LinkedSubject, type ListedAgent, linkEntries, linkedByEntries } from '../lists/link-agents.ts';
import { buildLikeness } from '../search/build-search.ts';
import { matchOf } from '../search/match-conditions.sql.ts';
import { rankMatches } from '../search/rank-matches.queries.ts';
import { readSimilar } from './similar.queries.ts';

const MAX_TAGS = 12;
const MAX_SIMILAR = 5;

/**
 * Returns the ids of up to five agents and skills that are most similar to the given listing, best first. Ranks them
 * like the matches of a search for the name and tags of this listing. Returns an empty list if its name and tags
 * contain no words.
 */
export async function rankSimilar(connection: Connection, record: AgentRecord): Promise<string[]> {
  const text = [record.name, ...record.tags.slice(0, MAX_TAGS)].join(' ');
  const search = await buildLikeness(connection, text);
  const match = search && matchOf(search, [], true, [SEARCH_WEIGHTS.needOfSimilar]);
  if (search === null || match === null) return [];
  const { ranked } = await rankMatches(connection, { search, match, filters: () => [] });
  const others = ranked.map(({ agentId }) => agentId).filter((agentId) => agentId !== record.agentId);
  return others.slice(0, MAX_SIMILAR);
}

/**
 * Loads listings by id, and the paths of all pages that a page with these listings links to: those of the listings and
 * of the subjects in `linked`. Sends one statement instead of two, which saves a round trip.
 */
export async function loadSimilar(
  connection: Connection,
  agentIds: readonly string[],
  linked: readonly LinkedSubject[],
  publicUrls: PublicUrls,
): Promise<{ similar: ListedAgent[]; paths: ReadonlyMap<string, string> }> {
  if (agentIds.length === 0) {
    return { similar: [], paths: await loadPublicPaths(connection, linked, publicUrls) };
  }
  const { rows, parts } = await readSimilar(connection, agentIds, linked, publicUrls);
  const entries = rows.map(({ lowerBound, figuresAt, isOfficial, readAt, flags, ...found }) => ({
    record: found,
    lowerBound,
    figuresAt,
    isOfficial,
    readAt,
    flags: toListingFlags(flags ?? []),
  }));
  // The first row has the paths. There is no row if all similar listings were removed since the ranking.
  const paths =
    rows.length === 0
      ? await loadPublicPaths(connection, linked, publicUrls)
      : publicPathsOf(parts, [...linked, ...linkedByEntries(entries)], publicUrls);
  return { similar: linkEntries(entries, paths), paths };
}
