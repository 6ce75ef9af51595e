import { CATEGORIES } from '../../../catalog/listings/listing-row.ts';
import type { ListInput } from '../../../directory/lists/list-agents.ts';
import { formatCount } from '../../components/formatting.tsx';

export const LIST_PATH = '/agents';

export const TYPES = ['agent', 'skill'] as const;

export const TIERS = ['high', 'medium', 'low'] as const;

/** Labels of the sort orders. */
export const SORTS = {
  relevance: 'Best match',
  score_desc: 'Most trusted',
  stars: 'Most stars',
  updated: 'Latest commit',
  newest: 'Recently added',
  name: 'Name',
  score_asc: 'Least trusted',
} as const;

const SORT_KEYS = Object.keys(SORTS) as (keyof typeof SORTS)[];

export const PAGE_SIZE = 20;

const MAX_SEARCH_LENGTH = 200;

const MAX_VALUE_LENGTH = 100;

const MAX_PAGES = 100_000_000;

/** Query parameters of the filters. */
export const FILTERS = ['type', 'kind', 'category', 'tag', 'license', 'tier', 'verified'] as const;

export type Filter = (typeof FILTERS)[number];

/** Query of a list page: a value or null for every filter. */
export interface ListQuery extends ListInput {
  type: 'agent' | 'skill' | null;
  kind: string | null;
  license: string | null;
  tag: string | null;
}

/** Returns the number of entries before the requested page. */
export function parseOffset(query: Readonly<Record<string, unknown>>): number {
  const page = Number(text(query.page) ?? '1');
  const isPage = Number.isInteger(page) && page >= 1 && page <= MAX_PAGES;
  return isPage ? (page - 1) * PAGE_SIZE : 0;
}

/** Parses the query of a list page. Unlike the API, it ignores invalid values. */
export function parseListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const q = text(query.q)?.slice(0, MAX_SEARCH_LENGTH) ?? null;
  return {
    q,
    type: oneOf(TYPES, query.type),
    verified: query.verified === 'true' ? true : null,
    tier: oneOf(TIERS, query.tier),
    category: oneOf(CATEGORIES, query.category),
    kind: readAnyValue(query.kind),
    license: readAnyValue(query.license),
    tag: readAnyValue(query.tag),
    sort: oneOf(availableSorts(q), query.sort) ?? defaultSort(q),
    limit: PAGE_SIZE,
    offset: parseOffset(query),
    cursor: null,
  };
}

/** Returns the sort orders of a list; relevance exists only for a search. */
export function availableSorts(q: string | null): (keyof typeof SORTS)[] {
  return q === null ? SORT_KEYS.filter((sort) => sort !== 'relevance') : SORT_KEYS;
}

/** Returns the default order: relevance for a search, otherwise trust. */
function defaultSort(q: string | null): keyof typeof SORTS {
  return q === null ? 'score_desc' : 'relevance';
}

/** Returns true if the query belongs to a list. The list once had the home page's path, so old links lead there. */
export function isListQuery(query: Readonly<Record<string, unknown>>): boolean {
  return ['q', ...FILTERS, 'sort', 'page'].some((name) => Object.hasOwn(query, name));
}

/** Filters, search and order of a list, by query parameter. */
export type ListFilters = Partial<Pick<ListQuery, 'q' | Filter | 'sort'>>;

/** Returns the path of the list with exactly these filters. */
export function listHref({ sort, ...asked }: ListFilters, offset = 0): string {
  const query = new URLSearchParams();
  const values = { ...asked, sort: sort === defaultSort(asked.q ?? null) ? null : sort };
  for (const name of ['q', ...FILTERS, 'sort'] as const) {
    const value = values[name] ?? null;
    if (value !== null) query.set(name, String(value));
  }
  if (offset > 0) query.set('page', String(Math.floor(offset / PAGE_SIZE) + 1));
  return query.size === 0 ? LIST_PATH : `${LIST_PATH}?${query}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Reads a filter that accepts any value without control characters. */
function readAnyValue(value: unknown): string | null {
  const given = text(value)?.slice(0, MAX_VALUE_LENGTH) ?? null;
  return given === null || /\p{Cc}/u.test(given) ? null : given;
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | null {
  return choices.find((choice) => choice === value) ?? null;
}

interface PageLinksProps {
  /** Number of entries before this page. */
  offset: number;
  shown: number;
  total: number;
  addressOf(offset: number): string;
}

/** Shows the page number with links to the previous and next page; renders nothing for a single or empty page. */
export function PageLinks({ offset, shown, total, addressOf }: PageLinksProps) {
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
        {formatCount(Math.max(1, Math.ceil(total / PAGE_SIZE)))}
      </span>
    </nav>
  );
}
