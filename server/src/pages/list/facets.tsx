import { type Choice, countChosen, type Facet } from '../../directory/lists/count-by-filter.ts';
import { countValues, type ValueCount } from '../../directory/lists/count-values.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import { formatCount } from '../../ui/text.tsx';
import { type PageList, pageAddress, TIERS, TYPES } from './page-query.ts';

/** How what a list shows spreads over what it can be filtered by. */
export interface ListCounts {
  /** With the search and the tag, before other filters. */
  facets: readonly Facet[];
  /** The commonest tags that the other filters leave. */
  tags: readonly ValueCount[];
  /** What the other filters leave without a tag. */
  untagged: number;
}

type Filter = 'type' | 'kind' | 'tier' | 'category' | 'license' | 'tag' | 'verified';

interface Group {
  filter: Filter;
  name: string;
  /** How many entries are left without this filter. */
  any: number;
  choices: readonly { value: string | true; count: number }[];
}

/** Of a filter that takes any value, so many of the commonest are offered. */
const MOST_VALUES = 8;

/** Every choice of every filter as a link with how many entries it leaves, given the others; a chosen one leads out again. */
export function Facets({ list, counts }: { list: PageList; counts: ListCounts }) {
  return (
    <dl class="facets">
      {groupsOf(list, counts).map((group) => (
        <GroupOfLinks key={group.filter} group={group} list={list} />
      ))}
    </dl>
  );
}

function groupsOf(list: PageList, { facets, tags, untagged }: ListCounts): Group[] {
  const left = (choice: Partial<Choice>) => countChosen(facets, { ...list, ...choice });
  const group = <Name extends keyof Choice & Filter>(
    filter: Name,
    name: string,
    choices: readonly (string | true)[],
  ): Group => ({
    filter,
    name,
    any: left({ [filter]: null }),
    choices: choices.map((value) => ({ value, count: left({ [filter]: value }) })),
  });
  const values = (filter: 'kind' | 'license', name: string): Group => ({
    filter,
    name,
    any: left({ [filter]: null }),
    choices: countValues(facets, filter, list, MOST_VALUES),
  });
  return [
    group('type', 'Type', TYPES),
    values('kind', 'Kind'),
    group('tier', 'Tier', TIERS),
    group('category', 'Category', CATEGORIES),
    values('license', 'License'),
    { filter: 'tag', name: 'Tag', any: untagged, choices: tags },
    group('verified', 'Owner', [true]),
  ];
}

function GroupOfLinks({ group: { filter, name, any, choices }, list }: { group: Group; list: PageList }) {
  // What would leave nothing is not offered, unless it is what was asked for.
  const offered = choices.filter(({ value, count }) => isChosen(list, filter, value) || count > 0);
  if (offered.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {[{ value: null, count: any }, ...offered].map(({ value, count }) => (
          <Choose key={value} list={list} filter={filter} value={value} count={count} />
        ))}
      </dd>
    </>
  );
}

/** Licenses and tags are one in upper and lower case. */
function isChosen(list: PageList, filter: Filter, value: string | true | null): boolean {
  const chosen = list[filter];
  if (typeof chosen !== 'string' || typeof value !== 'string') return chosen === value;
  return chosen.toLowerCase() === value.toLowerCase();
}

interface ChoiceProps {
  list: PageList;
  filter: Filter;
  value: string | true | null;
  count: number;
}

function Choose({ list, filter, value, count }: ChoiceProps) {
  const isCurrent = isChosen(list, filter, value);
  return (
    <a
      href={pageAddress({ ...list, [filter]: isCurrent ? null : value }, 0)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {value === null ? 'any' : value === true ? 'verified' : value} <span>{formatCount(count)}</span>
    </a>
  );
}
