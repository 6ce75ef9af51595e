import { ALL, type Choice, type Counts, countChosen } from './count-by-filter.ts';

/** How the entries of a page that match a search are found. */
export type SearchPlan =
  /** All that have its words, sorted; among all of the order. */
  | { by: 'words' }
  /** The same where they are few beside all: each is looked up by its id. */
  | { by: 'ids' }
  /** All that the filters leave, those of them sorted that have its words. */
  | { by: 'filters' }
  /** The first so many entries of the whole order are looked at, one after the other, until the page is full. */
  | { by: 'order'; most: number };

/** A walk along the order takes as often as long as where matches are spread evenly: they seldom are. */
const UNEVEN = 2;
/**
 * A walk is given up after this part of what another way would look at, or after twice what even matches need: what it has
 * looked at is lost then, and each entry of it costs twice as much as a match that the index finds.
 */
const TRIED = 1 / 2;
/** To look one entry up costs as much as to read so many in a row. */
const LOOKUP = 32;

/**
 * The way to find so many matches that looks at the fewest listings, going by exact counts. A walk that has looked at too many
 * is given up: all matches may stand at the end.
 */
export function planSearch({ found, listed }: Counts, choice: Choice, wanted: number): SearchPlan {
  const all = countChosen(found, ALL);
  const chosen = countChosen(listed, choice);
  const total = countChosen(listed, ALL);
  const words: SearchPlan = { by: all * LOOKUP <= total ? 'ids' : 'words' };
  const exact: SearchPlan = all <= chosen ? words : { by: 'filters' };
  const most = Math.min(all, chosen);
  const walked = (UNEVEN * wanted * total) / Math.max(1, countChosen(found, choice));
  return walked < most ? { by: 'order', most: Math.ceil(Math.max(walked, most * TRIED)) } : exact;
}

/** The same, but for a walk. */
export function planWithoutWalk(counts: Counts, choice: Choice): SearchPlan {
  return planSearch(counts, choice, Number.POSITIVE_INFINITY);
}
