import { ALL, type Choice, type Counts, countChosen } from './count-by-filter.ts';

/** How the entries of a page that match a search are found. */
export type SearchPlan =
  /** All that have its words, sorted. */
  | { by: 'words' }
  /** All that the filters leave, those of them sorted that have its words. */
  | { by: 'filters' }
  /** The first so many entries of the whole order are looked at, one after the other, until the page is full. */
  | { by: 'order'; most: number };

/** A walk along the order takes as often as long as where matches are spread evenly: they seldom are. */
const UNEVEN = 2;

/**
 * The way to find so many matches that looks at the fewest listings, going by exact counts. A walk that has looked at as
 * many as another way would is given up: all matches may stand at the end.
 */
export function planSearch({ found, listed }: Counts, choice: Choice, wanted: number): SearchPlan {
  const all = countChosen(found, ALL);
  const chosen = countChosen(listed, choice);
  const exact: SearchPlan = all <= chosen ? { by: 'words' } : { by: 'filters' };
  const most = Math.min(all, chosen);
  const walked = (UNEVEN * wanted * countChosen(listed, ALL)) / Math.max(1, countChosen(found, choice));
  return walked < most ? { by: 'order', most } : exact;
}

/** The same, but for a walk. */
export function planWithoutWalk(counts: Counts, choice: Choice): SearchPlan {
  return planSearch(counts, choice, Number.POSITIVE_INFINITY);
}
