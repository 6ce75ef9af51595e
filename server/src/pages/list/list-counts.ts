import { type Choice, countChosen, type Facet } from '../../directory/lists/count-by-filter.ts';
import { countValues, type ValueCount } from '../../directory/lists/count-values.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import { type Filter, type PageList, TIERS, TYPES } from './page-query.ts';

/** How what a list shows spreads over what it can be filtered by. */
export interface ListCounts {
  /** With the search and the tag, before other filters. */
  facets: readonly Facet[];
  /** The commonest tags that the other filters leave. */
  tags: readonly ValueCount[];
  /** What the other filters leave without a tag. */
  untagged: number;
}

/** The choices of one filter, each with how many entries it leaves, given the others. */
export interface FilterChoices {
  filter: Filter;
  name: string;
  /** How many entries are left without this filter. */
  any: number;
  choices: readonly { value: string | true; count: number }[];
}

/** Of a filter that takes any value, so many of the commonest are offered. */
const MOST_VALUES = 12;

/** What is offered for each filter; what would leave nothing is not, unless it is what was asked for. */
export function filterChoices(list: PageList, counts: ListCounts): FilterChoices[] {
  const { facets, tags, untagged } = counts;
  const left = (choice: Partial<Choice>) => countChosen(facets, { ...list, ...choice });
  const few = (filter: 'type' | 'category' | 'tier' | 'verified', values: readonly (string | true)[]) => ({
    filter,
    any: left({ [filter]: null }),
    choices: values.map((value) => ({ value, count: left({ [filter]: value }) })),
  });
  const any = (filter: 'kind' | 'license') => ({
    filter,
    any: left({ [filter]: null }),
    choices: countValues(facets, filter, list, MOST_VALUES),
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

/** Each filter in the words of the page. */
export const FILTER_NAMES: Readonly<Record<Filter, string>> = {
  type: 'Type',
  category: 'Category',
  tag: 'Tag',
  kind: 'Kind',
  license: 'Licence',
  tier: 'Tier',
  verified: 'Owner',
};

/** Whether a filter has this value, where null is none; licences and tags are one in upper and lower case. */
export function isChosen(list: PageList, filter: Filter, value: string | true | null): boolean {
  const chosen = list[filter];
  if (typeof chosen !== 'string' || typeof value !== 'string') return chosen === value;
  return chosen.toLowerCase() === value.toLowerCase();
}
