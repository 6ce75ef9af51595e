import type { Connection } from '../../platform/database/connect.ts';
import type { DirectorySearch } from '../search/build-search.ts';
import {
  type Counts,
  countByVerdict,
  countSearch,
  countTags,
  countValues,
  type ValueCount,
} from './count-by-filter.ts';
import type { Filter } from './filters.ts';
import {
  type AgentList,
  type ListInput,
  listAgents,
  matchOfInput,
  searchInTurn,
  searchOf,
} from './list-agents.ts';

/** Numbers of entries by the values of each requested facet. */
export type FacetCounts = Readonly<Partial<Record<Filter, readonly ValueCount[]>>>;

const NOTHING: Counts = { found: [], isLowerBound: false };
/** Maximum values of a facet that are returned; the most frequent ones. */
const MAX_VALUES = 100;

/**
 * Returns a page with the number of entries of each value of the requested facets. Each facet is counted with all
 * filters except its own, so that the counts say how many entries another value of this filter would find. Totals and
 * facets come from the same counts: facets cost one more statement in all, tags and verdicts one further each.
 */
export async function listWithFacets(
  connection: Connection,
  input: ListInput,
  names: readonly Filter[],
): Promise<AgentList & { readonly facets: FacetCounts }> {
  const search = await searchOf(connection, input);
  return searchInTurn(search, async () => {
    const countOf = (change: Partial<ListInput>): Promise<Counts> =>
      isEmpty(input, search)
        ? Promise.resolve(NOTHING)
        : countSearch(connection, matchOfInput({ ...input, ...change }, search));
    const counts = await countOf({ license: null });
    const facets = new Map<Filter, readonly ValueCount[]>();
    for (const name of names) facets.set(name, await countFacet(name));
    const list = await listAgents(connection, { ...input, counts, search });
    return { ...list, facets: Object.fromEntries(facets) };

    async function countFacet(name: Filter): Promise<readonly ValueCount[]> {
      if (isEmpty(input, search)) return [];
      if (name === 'tag') {
        const untagged = (input.tag ?? null) === null ? counts : await countOf({ tag: null, license: null });
        const match = matchOfInput({ ...input, tag: null }, search);
        return countTags(connection, match, input, untagged, MAX_VALUES);
      }
      if (name === 'verdict') {
        const { isLowerBound } =
          (input.verdict ?? null) === null ? counts : await countOf({ verdict: null, license: null });
        const match = matchOfInput({ ...input, verdict: null }, search);
        const counted = await countByVerdict(connection, match, input);
        return counted.map((each) => ({ ...each, isLowerBound }));
      }
      const counted = countValues(counts.found, name, input, MAX_VALUES);
      return counted.map((each) => ({ ...each, isLowerBound: counts.isLowerBound }));
    }
  });
}

/** Returns true for a search text without words, which matches nothing. */
function isEmpty({ q }: ListInput, search: DirectorySearch | null): boolean {
  return q !== null && search === null;
}
