import { countChosen, type Facet } from '../../directory/lists/count-by-filter.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';
import { formatCount } from '../../ui/text.tsx';
import { type PageList, pageAddress, TIERS, TYPES } from './page-query.ts';

type Filter = 'type' | 'tier' | 'category' | 'verified';

const GROUPS: readonly { filter: Filter; name: string; choices: readonly (string | true)[] }[] = [
  { filter: 'type', name: 'Type', choices: TYPES },
  { filter: 'tier', name: 'Tier', choices: TIERS },
  { filter: 'category', name: 'Category', choices: CATEGORIES },
  { filter: 'verified', name: 'Owner', choices: [true] },
];

/** Every choice of every filter as a link with how many entries it leaves, given the others; a chosen one leads out again. */
export function Facets({ list, facets }: { list: PageList; facets: readonly Facet[] }) {
  return (
    <dl class="facets">
      {GROUPS.map((group) => (
        <Group key={group.filter} group={group} list={list} facets={facets} />
      ))}
    </dl>
  );
}

interface GroupProps {
  group: (typeof GROUPS)[number];
  list: PageList;
  facets: readonly Facet[];
}

function Group({ group: { filter, name, choices }, list, facets }: GroupProps) {
  // What would leave nothing is not offered, unless it is what was asked for.
  const offered = choices.filter(
    (value) => list[filter] === value || countChosen(facets, withChoice(list, filter, value)) > 0,
  );
  if (offered.length === 0) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Choice list={list} filter={filter} value={null} facets={facets} />
        {offered.map((value) => (
          <Choice key={value} list={list} filter={filter} value={value} facets={facets} />
        ))}
      </dd>
    </>
  );
}

function withChoice(list: PageList, filter: Filter, value: string | true | null): PageList {
  return { ...list, [filter]: value };
}

interface ChoiceProps {
  list: PageList;
  filter: Filter;
  value: string | true | null;
  facets: readonly Facet[];
}

function Choice({ list, filter, value, facets }: ChoiceProps) {
  const chosen = withChoice(list, filter, value);
  const count = countChosen(facets, chosen);
  const isCurrent = list[filter] === value;
  return (
    <a
      href={pageAddress(isCurrent ? withChoice(list, filter, null) : chosen, 0)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {value === null ? 'any' : value === true ? 'verified' : value} <span>{formatCount(count)}</span>
    </a>
  );
}
