import { ALL, type Choice, type Counts, countChosen } from './count-by-filter.ts';
import type { PageSearch } from './list-query.ts';

/** How the entries of a page that match a search are found. */
export type SearchPlan =
  /** All that have its words, sorted; among all of the order. */
  | { by: 'words' }
  /** The same where they are few beside all: each is looked up by its id. */
  | { by: 'ids' }
  /** All that the filters leave, those of them sorted that have its words. */
  | { by: 'filters' }
  /**
   * All that have its words are noted, or are kept; then the first so many entries of the order are held against them. Of those
   * that are kept each that is met is looked up.
   */
  | { by: 'sieve'; most: number; isKept?: boolean }
  /** The first so many entries of the whole order are looked at, one after the other, until the page is full. */
  | { by: 'order'; most: number };

/** A walk along the order takes as often as long as where matches are spread evenly: they seldom are. */
const UNEVEN = 2;
/** To look at one entry of a walk costs as much as to find so many matches in the index of words. */
const LOOK = 8;
/**
 * To look one entry up costs as much as to read so many in a row. A sieve that has held so many entries against each match
 * has cost half of what it costs to look up each.
 */
const LOOKUP = 32;
/** The same where the words of an entry stand beside its place in the order. */
const LOOK_BESIDE = 4;
/** The same where its index tells that an entry has not the marks that are asked for. */
const GLANCE = 1 / 8;
/** Of searches with more matches none are kept: most ways meet those soon. */
export const MOST_MATCHES = 30_000;
/** To read a match that is kept costs this part of what it costs to find it. */
const KEPT = 1 / 8;
/** Where filters leave less than this part of the matches, most that a walk meets would be looked up in vain. */
const LEFT = 1 / 2;
/** A walk is given up when it has cost so much for each match: it is lost then, half of what it costs to look up each. */
const TRIED = 2;

/** What a walk goes through, and what each entry of that costs. */
export interface Walking {
  look: number;
  through: Choice;
}

/** The order that a search is walked along. */
export interface WalkedOrder {
  /** Whether its rows have the words of their listings, or the bits of their marks. */
  has: 'words' | 'marks';
  /** The licence by whose own range it is walked. */
  license: string | null;
}

/** The walk for a search along an order. */
export function walkFor(
  { marks, hasWords }: Pick<PageSearch, 'marks' | 'hasWords'>,
  { has, license }: WalkedOrder,
): Walking {
  const isTold = has === 'marks' && marks.length > 0 && !hasWords;
  return { look: isTold ? GLANCE : has === 'words' ? LOOK_BESIDE : LOOK, through: { ...ALL, license } };
}

/**
 * The way to find so many matches that costs the least, going by exact counts. A walk that has looked at too many entries is
 * given up: all matches may stand at the end.
 */
export function planSearch(
  { found, listed, kept = false }: Counts,
  choice: Choice,
  wanted: number,
  { look, through }: Walking = { look: LOOK, through: ALL },
): SearchPlan {
  const all = countChosen(found, ALL);
  const chosen = countChosen(listed, choice);
  const total = countChosen(listed, ALL);
  const words: SearchPlan = { by: all * LOOKUP <= total ? 'ids' : 'words' };
  const exact: SearchPlan = all <= chosen ? words : { by: 'filters' };
  const most = Math.min(all, chosen);
  const left = countChosen(found, choice);
  const walked = (UNEVEN * wanted * countChosen(listed, through)) / Math.max(1, left);
  const isKept = kept && all <= MOST_MATCHES && left >= all * LEFT;
  const isShort = all <= chosen && walked <= all * LOOKUP;
  const sieve = { by: 'sieve', most: all * LOOKUP, ...(isKept ? { isKept } : {}) } as const;
  if (isKept && isShort && walked * look >= all * KEPT) return sieve;
  if (walked * look < most) return { by: 'order', most: Math.ceil(Math.max(walked, (most * TRIED) / look)) };
  return isShort ? sieve : exact;
}

/** The same, but for a walk. */
export function planWithoutWalk(counts: Counts, choice: Choice): SearchPlan {
  return planSearch(counts, choice, Number.POSITIVE_INFINITY);
}
