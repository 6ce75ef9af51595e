import type { Connection } from '../../platform/database/connect.ts';
import {
  type Counts,
  countByVerdict,
  countSearch,
  countTags,
  countValues,
  type ValueCount,
} from './count-by-filter.ts';
import { type Filter, NO_FILTERS, type UncountedFilter } from './filters.ts';
import {
  type AgentList,
  type ListInput,
  listFound,
  matchOfInput,
  searchInTurn,
  searchOf,
} from './list-agents.ts';

/** Numbers of entries by the values of each requested facet. */
export type FacetCounts = Readonly<Partial<Record<Filter, readonly ValueCount[]>>>;

/** A page with the numbers of entries that the filter menus show. */
export interface FacetedList extends AgentList {
  readonly facets: FacetCounts;
  /** Counts of the entries that match the search, the time of change, and the filters on tag and verdict. */
  readonly counts: Counts;
  /**
   * Counts for the menus of tag and verdict: `counts` without the filter of the menu if it is in use and in `offered`,
   * otherwise `counts`.
   */
  readonly without: Readonly<Record<UncountedFilter, Counts>>;
}

const NOTHING: Counts = { found: [], isLowerBound: false };
/** Maximum values of a facet that the API returns; the most frequent ones. */
const MAX_VALUES = 100;

/**
 * Returns a page with the number of entries of each value of the requested facets, at most `most` values of each. Each
 * facet is counted with all filters except its own, so that the counts say how many entries another value of this
 * filter would find. Totals and facets come from the same counts, so that all facets together cost one more statement,
 * except those of tags and verdicts: they cost up to three and two statements in addition. `offered` names the filters
 * for which `without` is counted.
 */
export async function listWithFacets(
  connection: Connection,
  input: ListInput,
  names: readonly Filter[],
  { most = MAX_VALUES, offered = names }: { most?: number; offered?: readonly Filter[] } = {},
): Promise<FacetedList> {
  const search = await searchOf(connection, input);
  const matchOf = (change: Partial<ListInput>) => matchOfInput({ ...input, ...change }, search);
  const isEmpty = input.q !== null && search === null;
  const countOf = async (change: Partial<ListInput>): Promise<Counts> =>
    isEmpty ? NOTHING : countSearch(connection, matchOf(change), NO_FILTERS, true);
  return searchInTurn(search, async () => {
    const counts = await countOf({ license: null });
    const isChosen = (name: UncountedFilter) => (input[name] ?? null) !== null && offered.includes(name);
    const without = {
      tag: isChosen('tag') ? await countOf({ tag: null, license: null }) : counts,
      verdict: isChosen('verdict') ? await countOf({ verdict: null, license: null }) : counts,
    };
    const facets = new Map<Filter, readonly ValueCount[]>();
    for (const name of names) facets.set(name, isEmpty ? [] : await countFacet(name));
    const list = await listFound(connection, input, search, counts);
    return { ...list, facets: Object.fromEntries(facets), counts, without };

    async function countFacet(name: Filter): Promise<readonly ValueCount[]> {
      if (name === 'tag') return countTags(connection, matchOf({ tag: null }), input, without.tag, most);
      if (name === 'verdict') {
        const counted = await countByVerdict(connection, matchOf({ verdict: null }), input);
        return counted.map((each) => ({ ...each, isLowerBound: without.verdict.isLowerBound }));
      }
      const counted = countValues(counts.found, name, input, most);
      return counted.map((each) => ({ ...each, isLowerBound: counts.isLowerBound }));
    }
  });
}
