import type { ListInput } from '../../directory/lists/list-agents.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';

/** Where the list lives. */
export const LIST_PATH = '/agents';
export const TYPES = ['agent', 'skill'] as const;
export const TIERS = ['high', 'medium', 'low'] as const;
/** The orders, in the words of the page. */
export const SORTS = {
  relevance: 'Best match',
  score_desc: 'Most trusted',
  stars: 'Most stars',
  updated: 'Latest commit',
  newest: 'Newest here',
  name: 'Name',
  score_asc: 'Least trusted',
} as const;
const SORT_KEYS = Object.keys(SORTS) as (keyof typeof SORTS)[];
export const PAGE_SIZE = 20;

const SEARCH_CHARACTERS = 200;
const VALUE_CHARACTERS = 100;
const MOST_PAGES = 100_000_000;

/** What lists can be filtered by, by the names in their addresses. */
export const FILTERS = ['type', 'kind', 'category', 'tag', 'license', 'tier', 'verified'] as const;
export type Filter = (typeof FILTERS)[number];

/** The list that a page shows, with a value or null for every filter. */
export interface PageList extends ListInput {
  type: 'agent' | 'skill' | null;
  kind: string | null;
  license: string | null;
  tag: string | null;
}

/** How many entries come before the page that a query asks for. */
export function readOffset(query: Readonly<Record<string, unknown>>): number {
  const page = Number(text(query.page) ?? '1');
  const isPage = Number.isInteger(page) && page >= 1 && page <= MOST_PAGES;
  return isPage ? (page - 1) * PAGE_SIZE : 0;
}

/** The list that a page's query asks for. Unlike the API, a page shows what it can: a value it can't read counts for nothing. */
export function readPageQuery(query: Readonly<Record<string, unknown>>): PageList {
  const q = text(query.q)?.slice(0, SEARCH_CHARACTERS) ?? null;
  return {
    q,
    type: oneOf(TYPES, query.type),
    verified: query.verified === 'true' ? true : null,
    tier: oneOf(TIERS, query.tier),
    category: oneOf(CATEGORIES, query.category),
    kind: anyOf(query.kind),
    license: anyOf(query.license),
    tag: anyOf(query.tag),
    sort: oneOf(sortsOf(q), query.sort) ?? usualSort(q),
    limit: PAGE_SIZE,
    offset: readOffset(query),
    cursor: null,
  };
}

/** The orders that a list can have: what nobody searched for has no relevance. */
export function sortsOf(q: string | null): (keyof typeof SORTS)[] {
  return q === null ? SORT_KEYS.filter((sort) => sort !== 'relevance') : SORT_KEYS;
}

/** The order where none is asked for: the best match first, of everything the best trust. */
function usualSort(q: string | null): keyof typeof SORTS {
  return q === null ? 'score_desc' : 'relevance';
}

/** Whether a query is one of a list: home had the list, and old links still lead there. */
export function asksForList(query: Readonly<Record<string, unknown>>): boolean {
  return ['q', ...FILTERS, 'sort', 'page'].some((name) => Object.hasOwn(query, name));
}

/** What a list shows apart from its page, by the names in its address. */
export type Asked = Partial<Pick<PageList, 'q' | Filter | 'sort'>>;

/** The address of the list with these filters and no others. */
export function listAddress({ sort, ...asked }: Asked, offset = 0): string {
  const query = new URLSearchParams();
  const values = { ...asked, sort: sort === usualSort(asked.q ?? null) ? null : sort };
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

/** A value of a filter that takes any; a control character is in none of them. */
function anyOf(value: unknown): string | null {
  const given = text(value)?.slice(0, VALUE_CHARACTERS) ?? null;
  return given === null || /\p{Cc}/u.test(given) ? null : given;
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | null {
  return choices.find((choice) => choice === value) ?? null;
}
