import type { Connection } from '../../platform/database/connect.ts';
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
  listFound,
  matchOfInput,
  searchInTurn,
  searchOf,
} from './list-agents.ts';

/** Names of all facets: every filter, and the verdict of the score. */
export type FacetName = Filter | 'verdict';

/** Numbers of entries by the values of each requested facet. */
export type FacetCounts = Readonly<Partial<Record<FacetName, readonly ValueCount[]>>>;

/** A page with the counts that filters are offered with. */
export interface FacetedList extends AgentList {
  readonly facets: FacetCounts;
  /** Counts of the entries that match the search and the tag, whatever the other filters are. */
  readonly counts: Counts;
  /** Counts without the tag, if the facet `tag` was requested. */
  readonly untagged: Counts;
}

const NOTHING: Counts = { found: [], isLowerBound: false };
/** Maximum values of a facet that the API returns; the most frequent ones. */
const MAX_VALUES = 100;

/**
 * Returns a page with the number of entries of each value of the requested facets, at most `most` values of each. Each
 * facet is counted with all filters except its own, so that the counts say how many entries another value of this filter
 * would find. Totals and facets come from the same counts: facets cost one more statement in all, tags and verdicts one
 * further each.
 */
export async function listWithFacets(
  connection: Connection,
  input: ListInput,
  names: readonly FacetName[],
  most = MAX_VALUES,
): Promise<FacetedList> {
  const search = await searchOf(connection, input);
  const matchOf = (change: Partial<ListInput>) => matchOfInput({ ...input, ...change }, search);
  const isEmpty = input.q !== null && search === null;
  const countOf = async (change: Partial<ListInput>): Promise<Counts> =>
    isEmpty ? NOTHING : countSearch(connection, matchOf(change));
  return searchInTurn(search, async () => {
    const counts = await countOf({ license: null });
    const isTagged = names.includes('tag') && (input.tag ?? null) !== null;
    const untagged = isTagged ? await countOf({ tag: null, license: null }) : counts;
    const facets = new Map<FacetName, readonly ValueCount[]>();
    for (const name of names) facets.set(name, isEmpty ? [] : await countFacet(name));
    const list = await listFound(connection, input, search, counts);
    return { ...list, facets: Object.fromEntries(facets), counts, untagged };

    async function countFacet(name: FacetName): Promise<readonly ValueCount[]> {
      if (name === 'tag') return countTags(connection, matchOf({ tag: null }), input, untagged, most);
      const counted =
        name === 'verdict'
          ? await countByVerdict(connection, matchOf({}), input)
          : countValues(counts.found, name, input, most);
      return counted.map((each) => ({ ...each, isLowerBound: counts.isLowerBound }));
    }
  });
}
