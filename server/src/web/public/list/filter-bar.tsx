import {
  countSelected,
  countValues,
  type Facet,
  type ValueCount,
} from '../../../directory/lists/count-by-filter.ts';
import {
  COUNTED_FILTERS,
  type CountedFilter,
  chosenOf,
  FILTERS,
  type Filter,
  SHOWN_FILTERS,
  type UncountedFilter,
} from '../../../directory/lists/filters.ts';
import { SORTS } from '../../../directory/lists/sorts.ts';
import { ForeignText, formatTotal } from '../../components/formatting.tsx';
import { verdictLabel } from '../../components/score-figures.tsx';
import { availableSorts, type ListQuery, listHref } from './page-links.tsx';

/** Numbers of entries for the choices of each filter: `facets` for most filters, a separate member for others, such as `tag`. */
export interface ListCounts extends Record<UncountedFilter, UncountedChoices> {
  /** Counts of the entries that match the search and the uncounted filters, such as `tag`. Other filters are not applied. */
  facets: readonly Facet[];
  /** True if too many entries match to count them all, so that the counts are lower bounds. */
  isLowerBound?: boolean;
}

/** Choices of a filter that the facets do not contain, such as `tag` and `verdict`. */
interface UncountedChoices {
  /** Number of entries that the list would have without this filter. */
  any: number;
  /** Most frequent values, with the other filters applied. A count is null if counting would read every entry. */
  choices: readonly (Pick<ValueCount, 'value'> & { count: number | null })[];
}

/** Choices of one filter, each with its number of entries when the other filters are applied. */
interface FilterChoices {
  filter: Filter;
  /** Number of entries when only the other filters are applied. */
  any: number;
  choices: readonly { value: string | true; count: number | null }[];
}

/** Maximum choices of a filter that accepts any value; the most frequent are offered. */
const MAX_CHOICES = 12;

/** Returns the choices of each filter. Leaves out choices without entries, except the chosen one. */
function filterChoices(list: ListQuery, counts: ListCounts): FilterChoices[] {
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
    const offered = choices.filter(({ value, count }) => count !== 0 || isChosen(list, filter, value));
    return { filter, any, choices: offered };
  }).filter(({ choices }) => choices.length > 0);
}

function isCounted(filter: Filter): filter is CountedFilter {
  return COUNTED_FILTERS.some((counted) => counted === filter);
}

/** Returns whether the filter has this value; null means no filter. Ignores case, because licences and tags do. */
function isChosen(list: ListQuery, filter: Filter, value: string | true | null): boolean {
  const chosen = list[filter];
  if (typeof chosen !== 'string' || typeof value !== 'string') return chosen === value;
  return chosen.toLowerCase() === value.toLowerCase();
}

interface FilterBarProps {
  list: ListQuery;
  counts: ListCounts;
}

/**
 * Shows a menu of orders and a menu for each filter. Choices of a filter state how many entries the list would have.
 * Below the menus are links that remove the chosen filters.
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
            : <Value filter={filter} value={chosen} />
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
              {value === null ? 'any' : <Value filter={filter} value={value} />}{' '}
              {count !== null && <span>{formatTotal(count, isLowerBound)}</span>}
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
            {FILTERS[filter].label}: <Value filter={filter} value={list[filter]} />{' '}
            <span aria-hidden="true">×</span>
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

/** Shows a filter's value. The owner filter's `true` is shown as "verified", a verdict by its label. */
function Value({ filter, value }: { filter: Filter; value: string | boolean | null }) {
  const verdict = filter === 'verdict' ? FILTERS.verdict.values.find((each) => each === value) : undefined;
  if (verdict !== undefined) return <>{verdictLabel(verdict)}</>;
  return typeof value === 'string' ? <ForeignText>{value}</ForeignText> : <>verified</>;
}
