import {
  chosenOf,
  FILTERS,
  type Filter,
  type FilterSelection,
  type FilterValues,
  SHOWN_FILTERS,
} from '../../../directory/lists/filters.ts';
import type { ListInput } from '../../../directory/lists/list-agents.ts';
import { SORT_NAMES, type Sort } from '../../../directory/lists/sorts.ts';
import { formatCount, formatTotal } from '../../components/formatting.tsx';

export const LIST_PATH = '/agents';

export const PAGE_SIZE = 20;

const MAX_SEARCH_LENGTH = 200;

const MAX_VALUE_LENGTH = 100;

const MAX_PAGES = 100_000_000;

/** Query of a list page: a value or null for every filter. */
export type ListQuery = ListInput & FilterValues;

/** Returns the number of entries before the requested page; 0 for an invalid page number. */
export function parseOffset(query: Readonly<Record<string, unknown>>): number {
  const page = Number(text(query.page) ?? '1');
  const isPage = Number.isInteger(page) && page >= 1 && page <= MAX_PAGES;
  return isPage ? (page - 1) * PAGE_SIZE : 0;
}

/** Parses the URL's query of a list page. Unlike the API, it ignores invalid values. */
export function parseListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const q = text(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null;
  const filters = SHOWN_FILTERS.map((name) => [name, readFilter(name, query[name])]);
  return {
    ...(Object.fromEntries(filters) as FilterValues),
    q,
    sort: availableSorts(q).find((sort) => sort === query.sort) ?? defaultSort(q),
    limit: PAGE_SIZE,
    offset: parseOffset(query),
    cursor: null,
  };
}

/** Returns the sort orders of a list; relevance exists only for a search. */
export function availableSorts(q: string | null): Sort[] {
  return q === null ? SORT_NAMES.filter((sort) => sort !== 'relevance') : SORT_NAMES;
}

/** Returns the default order: relevance for a search, otherwise trust. */
function defaultSort(q: string | null): Sort {
  return q === null ? 'score_desc' : 'relevance';
}

/** Returns whether the query of a URL of the home page is for the list, which had this path in earlier releases. */
export function isListQuery(query: Readonly<Record<string, unknown>>): boolean {
  return ['q', ...SHOWN_FILTERS, 'sort', 'page'].some((name) => Object.hasOwn(query, name));
}

/** Filters, search and order of a list, by query parameter. */
export type ListFilters = FilterSelection & Partial<Pick<ListQuery, 'q' | 'sort'>>;

/** Returns the path of the list with exactly these filters. */
export function listHref({ q = null, sort, ...filters }: ListFilters, offset = 0): string {
  const query = new URLSearchParams(q === null ? {} : { q });
  for (const [name, value] of chosenOf(SHOWN_FILTERS, filters)) query.set(name, String(value));
  if (sort !== undefined && sort !== defaultSort(q)) query.set('sort', sort);
  if (offset > 0) query.set('page', String(Math.floor(offset / PAGE_SIZE) + 1));
  return query.size === 0 ? LIST_PATH : `${LIST_PATH}?${query}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Parses a filter's value: one of a fixed set or, if it has none, a text without control characters. Otherwise null. */
function readFilter(name: Filter, value: unknown): string | boolean | null {
  const values: readonly (string | boolean)[] | null = FILTERS[name].values;
  if (values !== null) return values.find((each) => String(each) === value) ?? null;
  const given = text(value)?.slice(0, MAX_VALUE_LENGTH) ?? null;
  return given === null || /\p{Cc}/u.test(given) ? null : given;
}

interface PageLinksProps {
  /** Number of entries before this page. */
  offset: number;
  shown: number;
  total: number;
  /** True if `total` is a lower bound. */
  totalIsLowerBound?: boolean;
  addressOf(offset: number): string;
}

/** Shows the page number with links to the previous and next page; renders nothing for a single or empty page. */
export function PageLinks({ offset, shown, total, totalIsLowerBound = false, addressOf }: PageLinksProps) {
  const hasNext = shown > 0 && offset + shown < total;
  if (shown === 0 || (offset === 0 && !hasNext)) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {offset > 0 && (
        <a class="button" rel="prev" href={addressOf(Math.max(0, offset - PAGE_SIZE))}>
          Previous
        </a>
      )}
      {hasNext && (
        <a class="button" rel="next" href={addressOf(offset + PAGE_SIZE)}>
          Next
        </a>
      )}
      <span class="muted small">
        Page {formatCount(Math.floor(offset / PAGE_SIZE) + 1)} of{' '}
        {formatTotal(Math.max(1, Math.ceil(total / PAGE_SIZE)), totalIsLowerBound)}
      </span>
    </nav>
  );
}
