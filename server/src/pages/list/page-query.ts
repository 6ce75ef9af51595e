import type { ListInput } from '../../directory/lists/list-agents.ts';
import { CATEGORIES } from '../../registry/listings/listing-row.ts';

export const TYPES = ['agent', 'skill'] as const;
export const TIERS = ['high', 'medium', 'low'] as const;
const SORTS = ['score_desc', 'score_asc', 'name', 'stars', 'updated', 'newest'] as const;
export const PAGE_SIZE = 20;

const SEARCH_CHARACTERS = 200;
const VALUE_CHARACTERS = 100;
const MOST_PAGES = 100_000_000;

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
  return {
    q: text(query.q)?.slice(0, SEARCH_CHARACTERS) ?? null,
    type: oneOf(TYPES, query.type),
    verified: query.verified === 'true' ? true : null,
    tier: oneOf(TIERS, query.tier),
    category: oneOf(CATEGORIES, query.category),
    kind: anyOf(query.kind),
    license: anyOf(query.license),
    tag: anyOf(query.tag),
    sort: oneOf(SORTS, query.sort) ?? 'score_desc',
    limit: PAGE_SIZE,
    offset: readOffset(query),
    cursor: null,
  };
}

/** The address of one page of the same list. */
export function pageAddress(list: PageList, offset: number): string {
  const { q, type, verified, tier, category, kind, license, tag, sort } = list;
  const query = new URLSearchParams();
  const order = sort === 'score_desc' ? null : sort;
  const values = { q, type, kind, category, tag, license, tier, verified, sort: order };
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, String(value));
  if (offset > 0) query.set('page', String(Math.floor(offset / PAGE_SIZE) + 1));
  return query.size === 0 ? '/' : `/?${query}`;
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
