import { chosenOf, FILTERS, type Filter, SHOWN_FILTERS } from '../../../directory/lists/filters.ts';
import { SORTS } from '../../../directory/lists/sorts.ts';
import { ForeignText, formatTotal } from '../../components/formatting.tsx';
import { type FilterChoices, filterChoices, isChosen, type ListCounts } from './filter-counts.ts';
import { availableSorts, type ListQuery, listHref } from './page-links.tsx';

interface FilterBarProps {
  list: ListQuery;
  counts: ListCounts;
}

/**
 * Shows menus for order and filters, whose links state the remaining entries, and below them the chosen filters to
 * remove.
 */
export function FilterBar({ list, counts }: FilterBarProps) {
  return (
    <nav class="filters" aria-label="Order and filters">
      <SortMenu list={list} />
      {filterChoices(list, counts).map((group) => (
        <FilterMenu
          key={group.filter}
          group={group}
          list={list}
          isLowerBound={counts.isLowerBound ?? false}
        />
      ))}
      <Chosen list={list} />
    </nav>
  );
}

/** Returns the chosen filters by their query parameters. */
export function chosenFilters(list: ListQuery): [Filter, string][] {
  return chosenOf(SHOWN_FILTERS, list).map(([filter, value]) => [filter, String(value)]);
}

function SortMenu({ list }: { list: ListQuery }) {
  return (
    <details name="filters">
      <summary>Sort: {SORTS[list.sort].label}</summary>
      <ul>
        {availableSorts(list.q).map((sort) => (
          <li key={sort}>
            <a href={listHref({ ...list, sort })} aria-current={sort === list.sort ? 'true' : undefined}>
              {SORTS[sort].label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface FilterMenuProps {
  group: FilterChoices;
  list: ListQuery;
  isLowerBound: boolean;
}

function FilterMenu({ group, list, isLowerBound }: FilterMenuProps) {
  const { filter, any, choices } = group;
  const chosen = list[filter];
  return (
    <details name="filters" class={chosen === null ? undefined : 'on'}>
      <summary>
        {FILTERS[filter].label}
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
              href={listHref({ ...list, [filter]: value })}
              aria-current={isChosen(list, filter, value) ? 'true' : undefined}
            >
              {value === null ? 'any' : <Value value={value} />}{' '}
              <span>{formatTotal(count, isLowerBound)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Shows each chosen filter as a link that removes it. */
function Chosen({ list }: { list: ListQuery }) {
  const chosen = chosenFilters(list);
  if (chosen.length === 0) return null;
  return (
    <ul class="chips" aria-label="Chosen filters">
      {chosen.map(([filter]) => (
        <li key={filter}>
          <a class="chip" href={listHref({ ...list, [filter]: null })}>
            <span class="hidden">Remove </span>
            {FILTERS[filter].label}: <Value value={list[filter]} /> <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <a class="small" href={listHref({ q: list.q, sort: list.sort })}>
            Clear all
          </a>
        </li>
      )}
    </ul>
  );
}

/** Shows a filter's value; `true` (of the owner filter) reads "verified". */
function Value({ value }: { value: string | boolean | null }) {
  return typeof value === 'string' ? <ForeignText>{value}</ForeignText> : <>verified</>;
}
