import { ALL, type Choice, type Counts, countChosen } from './count-by-filter.ts';

/** How the entries of a page that match a search are found. */
export type SearchPlan =
  /** All that have its words, sorted; among all of the order. */
  | { by: 'words' }
  /** The same where they are few beside all: each is looked up by its id. */
  | { by: 'ids' }
  /** All that the filters leave, those of them sorted that have its words. */
  | { by: 'filters' }
  /** All that have its words are noted; then the first so many entries of the order are held against them. */
  | { by: 'sieve'; most: number }
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
/** A walk is given up after this part of its matches: what it has looked at is lost then, half of what another way costs. */
const TRIED = 1 / 4;

/**
 * The way to find so many matches that costs the least, going by exact counts. A walk that has looked at too many entries is
 * given up: all matches may stand at the end.
 */
export function planSearch({ found, listed }: Counts, choice: Choice, wanted: number): SearchPlan {
  const all = countChosen(found, ALL);
  const chosen = countChosen(listed, choice);
  const total = countChosen(listed, ALL);
  const words: SearchPlan = { by: all * LOOKUP <= total ? 'ids' : 'words' };
  const exact: SearchPlan = all <= chosen ? words : { by: 'filters' };
  const most = Math.min(all, chosen);
  const walked = (UNEVEN * wanted * total) / Math.max(1, countChosen(found, choice));
  if (walked * LOOK < most) return { by: 'order', most: Math.ceil(Math.max(walked, most * TRIED)) };
  return all <= chosen && walked <= all * LOOKUP ? { by: 'sieve', most: all * LOOKUP } : exact;
}

/** The same, but for a walk. */
export function planWithoutWalk(counts: Counts, choice: Choice): SearchPlan {
  return planSearch(counts, choice, Number.POSITIVE_INFINITY);
}
