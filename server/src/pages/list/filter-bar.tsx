import { Foreign, formatCount } from '../../ui/text.tsx';
import { FILTER_NAMES, type FilterChoices, filterChoices, isChosen, type ListCounts } from './list-counts.ts';
import { FILTERS, type Filter, listAddress, type PageList, SORTS, sortsOf } from './page-query.ts';

interface FilterBarProps {
  list: PageList;
  counts: ListCounts;
}

/** Order and filters, each a small menu of links with how many entries it leaves; what is chosen beneath, to be taken away. */
export function FilterBar({ list, counts }: FilterBarProps) {
  return (
    <nav class="filters" aria-label="Order and filters">
      <SortMenu list={list} />
      {filterChoices(list, counts).map((group) => (
        <FilterMenu key={group.filter} group={group} list={list} />
      ))}
      <Chosen list={list} />
    </nav>
  );
}

/** The filters that are chosen, by their names in an address. */
export function chosenFilters(list: PageList): [Filter, string][] {
  return FILTERS.flatMap((filter): [Filter, string][] => {
    const value = list[filter];
    return value === null ? [] : [[filter, String(value)]];
  });
}

function SortMenu({ list }: { list: PageList }) {
  return (
    <details name="filters">
      <summary>Sort: {SORTS[list.sort]}</summary>
      <ul>
        {sortsOf(list.q).map((sort) => (
          <li key={sort}>
            <a href={listAddress({ ...list, sort })} aria-current={sort === list.sort ? 'true' : undefined}>
              {SORTS[sort]}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function FilterMenu({ group, list }: { group: FilterChoices; list: PageList }) {
  const { filter, name, any, choices } = group;
  const chosen = list[filter];
  return (
    <details name="filters" class={chosen === null ? undefined : 'on'}>
      <summary>
        {name}
        {chosen === null ? (
          <span class="wide-only">: any</span>
        ) : (
          <>
            : <Value value={chosen} />
          </>
        )}
      </summary>
      <ul>
        {[{ value: null, count: any }, ...choices].map(({ value, count }) => (
          <li key={value}>
            <a
              href={listAddress({ ...list, [filter]: value })}
              aria-current={isChosen(list, filter, value) ? 'true' : undefined}
            >
              {value === null ? 'any' : <Value value={value} />} <span>{formatCount(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Each chosen filter as a link to the list without it. */
function Chosen({ list }: { list: PageList }) {
  const chosen = chosenFilters(list);
  if (chosen.length === 0) return null;
  return (
    <ul class="chips" aria-label="Chosen filters">
      {chosen.map(([filter]) => (
        <li key={filter}>
          <a class="chip" href={listAddress({ ...list, [filter]: null })}>
            <span class="hidden">Remove </span>
            {FILTER_NAMES[filter]}: <Value value={list[filter]} /> <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <a class="small" href={listAddress({ q: list.q, sort: list.sort })}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}

/** A value of a filter; the one of whose owner it is has a word in place of true. */
function Value({ value }: { value: string | boolean | null }) {
  return typeof value === 'string' ? <Foreign>{value}</Foreign> : <>verified</>;
}
