import { type Counts, countSelected } from './count-by-filter.ts';
import { type FilterSelection, NO_FILTERS } from './filters.ts';
import type { PageSearch } from './list-query.ts';

/**
 * Plan for finding the matches of a page. Search among a million takes 1.66 × the time among 10,000
 * (`npm run bench -- scale`). Without the estimate, `search-plan.test.ts` and `search-plans.db.test.ts` fail.
 */
export type SearchPlan =
  /** Index query for all matches, joined with the whole order and sorted. */
  | { by: 'words' }
  /** Index query for all matches, each looked up by id; for few matches. */
  | { by: 'ids' }
  /** All entries that pass the filters, checked for the words and sorted. */
  | { by: 'filters' }
  /**
   * Hash filter: collects all match ids, or reads stored ones, and checks the first `most` entries of the sort order
   * against them. Entries that pass a stored filter are looked up.
   */
  | { by: 'hash-filter'; most: number; isCached?: boolean }
  /** Index scan: checks the first `most` entries of the sort order until the page is full. */
  | { by: 'index-scan'; most: number };

/** Factor by which a scan is assumed to take longer than with evenly spread matches. */
const UNEVEN_SPREAD = 2;
/** Cost of checking one scanned entry, in matches found by the word index. */
const CHECK_COST = 8;
/**
 * Cost of one random row lookup, in sequential rows. A hash filter that has checked this many entries per match costs
 * half as much as looking up each match.
 */
const LOOKUP_COST = 32;
/** Cost of checking one scanned entry if its words are in the scanned table. */
const CHECK_COST_WITH_WORDS = 4;
/** Cost of checking one scanned entry if its term bits rule it out. */
const CHECK_COST_WITH_BITS = 1 / 8;
/** Match lists above this size are not cached; index scans find them quickly. */
export const MAX_CACHED_MATCHES = 30_000;
/** Cost of a cached match relative to an index match. */
const CACHED_MATCH_COST = 1 / 8;
/**
 * Minimum share of the matches that must pass the filters before a plan uses cached matches; with fewer, most lookups
 * find an entry that the filters exclude.
 */
const MIN_FILTERED_SHARE = 1 / 2;
/** A scan stops at this cost per match: half of the cost of looking up each match. */
const MAX_SCAN_COST_PER_MATCH = 2;

/** The scanned part of an index, and the cost per scanned entry. */
export interface ScanCost {
  look: number;
  through: FilterSelection;
}

/** Properties of the scanned sort order. */
export interface ScannedOrder {
  /** Contents of its rows: the words of listings, or the bits of their filter terms. */
  has: 'words' | 'term bits';
  /** Licence whose own range is scanned. */
  license: string | null;
}

/** Returns the scan for a search along a sort order. */
export function scanCostOf(
  { filterTerms, hasWords }: Pick<PageSearch, 'filterTerms' | 'hasWords'>,
  { has, license }: ScannedOrder,
): ScanCost {
  const bitsSuffice = has === 'term bits' && filterTerms.length > 0 && !hasWords;
  return {
    look: bitsSuffice ? CHECK_COST_WITH_BITS : has === 'words' ? CHECK_COST_WITH_WORDS : CHECK_COST,
    through: { ...NO_FILTERS, license },
  };
}

/** Chooses the cheapest plan from exact counts. A scan has a limit, because all matches may be at the end. */
export function planSearch(
  { found, listed, kept = false }: Counts,
  selection: FilterSelection,
  wanted: number,
  { look, through }: ScanCost = { look: CHECK_COST, through: NO_FILTERS },
): SearchPlan {
  const all = countSelected(found, NO_FILTERS);
  const chosen = countSelected(listed, selection);
  const total = countSelected(listed, NO_FILTERS);
  const words: SearchPlan = { by: all * LOOKUP_COST <= total ? 'ids' : 'words' };
  const exact: SearchPlan = all <= chosen ? words : { by: 'filters' };
  const most = Math.min(all, chosen);
  const left = countSelected(found, selection);
  const scanned = (UNEVEN_SPREAD * wanted * countSelected(listed, through)) / Math.max(1, left);
  const isCached = kept && all <= MAX_CACHED_MATCHES && left >= all * MIN_FILTERED_SHARE;
  const isShort = all <= chosen && scanned <= all * LOOKUP_COST;
  const hashFilter = {
    by: 'hash-filter',
    most: all * LOOKUP_COST,
    ...(isCached ? { isCached } : {}),
  } as const;
  if (isCached && isShort && scanned * look >= all * CACHED_MATCH_COST) return hashFilter;
  if (scanned * look < most)
    return { by: 'index-scan', most: Math.ceil(Math.max(scanned, (most * MAX_SCAN_COST_PER_MATCH) / look)) };
  return isShort ? hashFilter : exact;
}

/** Chooses the cheapest plan that is not an index scan. */
export function planWithoutScan(counts: Counts, selection: FilterSelection): SearchPlan {
  return planSearch(counts, selection, Number.POSITIVE_INFINITY);
}
