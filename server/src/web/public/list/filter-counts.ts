import { CATEGORIES } from '../../../catalog/listings/listing-row.ts';
import { countSelected, type Facet, type FilterSelection } from '../../../directory/lists/count-by-filter.ts';
import { countValues, type ValueCount } from '../../../directory/lists/count-values.ts';
import { type Filter, type ListQuery, TIERS, TYPES } from './page-links.tsx';

/** Counts of a list by its filters. */
export interface ListCounts {
  /** Counts with the search and the tag applied, without other filters. */
  facets: readonly Facet[];
  /** Most frequent tags, with the other filters applied. */
  tags: readonly ValueCount[];
  /** Number of entries that the list would have without its tag filter. */
  untagged: number;
}

/** Choices of one filter, each with the number of entries under the other filters. */
export interface FilterChoices {
  filter: Filter;
  name: string;
  /** Number of entries that the list would have without this filter. */
  any: number;
  choices: readonly { value: string | true; count: number }[];
}

/** Maximum choices of a filter that accepts any value; the most frequent are offered. */
const MAX_CHOICES = 12;

/** Returns the choices of each filter. Leaves out choices without entries, except the chosen one. */
export function filterChoices(list: ListQuery, counts: ListCounts): FilterChoices[] {
  const { facets, tags, untagged } = counts;
  const left = (choice: Partial<FilterSelection>) => countSelected(facets, { ...list, ...choice });
  const few = (filter: 'type' | 'category' | 'tier' | 'verified', values: readonly (string | true)[]) => ({
    filter,
    any: left({ [filter]: null }),
    choices: values.map((value) => ({ value, count: left({ [filter]: value }) })),
  });
  const any = (filter: 'kind' | 'license') => ({
    filter,
    any: left({ [filter]: null }),
    choices: countValues(facets, filter, list, MAX_CHOICES),
  });
  const groups: Omit<FilterChoices, 'name'>[] = [
    few('type', TYPES),
    few('category', CATEGORIES),
    { filter: 'tag', any: untagged, choices: tags },
    any('kind'),
    any('license'),
    few('tier', TIERS),
    few('verified', [true]),
  ];
  return groups
    .map((group) => ({
      ...group,
      name: FILTER_NAMES[group.filter],
      choices: group.choices.filter(({ value, count }) => count > 0 || isChosen(list, group.filter, value)),
    }))
    .filter(({ choices }) => choices.length > 0);
}

/** Labels of the filters. */
export const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  type: 'Type',
  category: 'Category',
  tag: 'Tag',
  kind: 'Kind',
  license: 'Licence',
  tier: 'Tier',
  verified: 'Owner',
};

/** Returns true if the filter has this value; null means no filter. Licences and tags are case-insensitive. */
export function isChosen(list: ListQuery, filter: Filter, value: string | true | null): boolean {
  const chosen = list[filter];
  if (typeof chosen !== 'string' || typeof value !== 'string') return chosen === value;
  return chosen.toLowerCase() === value.toLowerCase();
}
