import { countSelected, type Facet } from '../../../directory/lists/count-by-filter.ts';
import { countValues, type ValueCount } from '../../../directory/lists/count-values.ts';
import {
  COUNTED_FILTERS,
  type CountedFilter,
  FILTERS,
  type Filter,
  SHOWN_FILTERS,
  type UncountedFilter,
} from '../../../directory/lists/filters.ts';
import type { ListQuery } from './page-links.tsx';

/** Counts of a list by its filters; of an uncounted filter, such as `tag`, those of its own. */
export interface ListCounts extends Record<UncountedFilter, UncountedChoices> {
  /** Counts with the search and the uncounted filters applied, without other filters. */
  facets: readonly Facet[];
  /** True if the counts leave out entries, because too many match. */
  isLowerBound?: boolean;
}

/** Choices of a filter that the facets do not contain, such as `tag`. */
interface UncountedChoices {
  /** Number of entries that the list would have without this filter. */
  any: number;
  /** Most frequent values, with the other filters applied. */
  choices: readonly ValueCount[];
}

/** Choices of one filter, each with the number of entries under the other filters. */
export interface FilterChoices {
  filter: Filter;
  /** Number of entries without this filter. */
  any: number;
  choices: readonly { value: string | true; count: number }[];
}

/** Maximum choices of a filter that accepts any value; the most frequent are offered. */
const MAX_CHOICES = 12;

/** Returns the choices of each filter. Leaves out choices without entries, except the chosen one. */
export function filterChoices(list: ListQuery, counts: ListCounts): FilterChoices[] {
  const { facets } = counts;
  const left = (filter: CountedFilter, value: string | boolean | null) =>
    countSelected(facets, { ...list, [filter]: value });
  const choicesOf = (filter: CountedFilter) => {
    const values: readonly (string | true)[] | null = FILTERS[filter].values;
    return values === null
      ? countValues(facets, filter, list, MAX_CHOICES)
      : values.map((value) => ({ value, count: left(filter, value) }));
  };
  return SHOWN_FILTERS.map((filter) => {
    const { any, choices } = isCounted(filter)
      ? { any: left(filter, null), choices: choicesOf(filter) }
      : counts[filter];
    const offered = choices.filter(({ value, count }) => count > 0 || isChosen(list, filter, value));
    return { filter, any, choices: offered };
  }).filter(({ choices }) => choices.length > 0);
}

function isCounted(filter: Filter): filter is CountedFilter {
  return COUNTED_FILTERS.some((counted) => counted === filter);
}

/** Returns true if the filter has this value; null means no filter. Licences and tags are case-insensitive. */
export function isChosen(list: ListQuery, filter: Filter, value: string | true | null): boolean {
  const chosen = list[filter];
  if (typeof chosen !== 'string' || typeof value !== 'string') return chosen === value;
  return chosen.toLowerCase() === value.toLowerCase();
}
