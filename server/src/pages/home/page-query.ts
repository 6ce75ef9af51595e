import type { ListInput } from '../../directory/lists/list-agents.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';

export const TYPES = ['agent', 'skill'] as const;
export const TIERS = ['high', 'medium', 'low'] as const;
const SORTS = ['score_desc', 'score_asc', 'name'] as const;
export const PAGE_SIZE = 20;

const SEARCH_CHARACTERS = 200;
const MOST_PAGES = 100_000_000;

/** The list that a page shows; beyond the API's filters it can be of one type. */
export interface PageList extends ListInput {
  type: 'agent' | 'skill' | null;
}

/** How many entries come before the page that a query asks for. */
export function readOffset(query: Readonly<Record<string, unknown>>): number {
  const page = Number(text(query.page) ?? '1');
  const isPage = Number.isInteger(page) && page >= 1 && page <= MOST_PAGES;
  return isPage ? (page - 1) * PAGE_SIZE : 0;
}

/** The list that a page's query asks for. Unlike the API, a page shows what it can: a value it can't read counts for nothing. */
export function readPageQuery(query: Readonly<Record<string, unknown>>): PageList {
  return {
    q: text(query.q)?.slice(0, SEARCH_CHARACTERS) ?? null,
    type: oneOf(TYPES, query.type),
    verified: query.verified === 'true' ? true : null,
    tier: oneOf(TIERS, query.tier),
    category: oneOf(CATEGORIES, query.category),
    sort: oneOf(SORTS, query.sort) ?? 'score_desc',
    limit: PAGE_SIZE,
    offset: readOffset(query),
    cursor: null,
  };
}

/** The address of one page of the same list. */
export function pageAddress(list: PageList, offset: number): string {
  const { q, type, verified, tier, category, sort } = list;
  const query = new URLSearchParams();
  const values = { q, type, category, tier, verified, sort: sort === 'score_desc' ? null : sort };
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, String(value));
  if (offset > 0) query.set('page', String(Math.floor(offset / PAGE_SIZE) + 1));
  return query.size === 0 ? '/' : `/?${query}`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown): Choice | null {
  return choices.find((choice) => choice === value) ?? null;
}
