import { type AgentList, type ListInput, listAgents } from '../../src/directory/lists/list-agents.ts';
import { buildSearch, type DirectorySearch } from '../../src/directory/search/build-search.ts';
import { type Match, matchOf } from '../../src/directory/search/match-conditions.sql.ts';
import type { Connection } from '../../src/platform/database/connect.ts';

/** Input for the first hundred listings by trust. Tests change single members. */
export const WHOLE_LIST: ListInput = {
  q: null,
  verified: null,
  tier: null,
  category: null,
  sort: 'score_desc',
  limit: 100,
  offset: 0,
  cursor: null,
};

/** Follows the cursors of a list to its end. Returns its pages and the ids of all entries. */
export async function readToEnd(
  connection: Connection,
  input: Partial<ListInput>,
): Promise<{ pages: AgentList[]; ids: string[] }> {
  const pages: AgentList[] = [];
  for (let cursor = input.cursor ?? null; ; ) {
    const page = await listAgents(connection, { ...WHOLE_LIST, ...input, cursor });
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) return { pages, ids: idsOf(pages.flatMap(({ agents }) => agents)) };
  }
}

/** Returns the `AGT-` ids of entries, in their order. */
export function idsOf(entries: readonly { agentId: string }[]): string[] {
  return entries.map(({ agentId }) => agentId);
}

/** Parses a search text, and returns the condition of its matches by relevance, without filters. */
export async function matchesOf(
  connection: Connection,
  q: string,
): Promise<{ search: DirectorySearch; match: Match; filters: () => string[] }> {
  const search = await buildSearch(connection, q);
  const match = matchOf(search, [], true);
  if (search === null || match === null) throw new Error(`the search ${q} has no words`);
  return { search, match, filters: () => [] };
}
