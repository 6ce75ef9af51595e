import { COLUMN_FILTERS, chosenOf, type FilterSelection } from './filters.ts';
import type { BindParameters, KeyRange } from './key-ranges.sql.ts';
import { asIndexScan, reachedRangeEnd, scannedSource } from './list-agents-scan.sql.ts';
import {
  entryConditions,
  filterConditions,
  indexConditions,
  type SearchQueries,
  tableHasWords,
  whereClause,
} from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';
import type { SearchPlan } from './search-plan.ts';
import { SORTS, type Sort } from './sorts.ts';

/** Filters on columns, search and sort of a page. */
export interface PageFilters extends FilterSelection {
  /** The search and its plan; null for all entries. */
  search:
    | (SearchQueries & Partial<Pick<PageSearch, 'filterTerms' | 'hasWords'>> & { plan: SearchPlan })
    | null;
  sort: Sort;
}

export interface PageWindow {
  offset: number;
  limit: number;
}

/** Maximum entries read from the start of each index range before the ranges are merged. */
const MAX_MERGED = 1_000;

/**
 * Builds the CTE `page`: ids and positions of a page's entries. Reads each key range only if the ranges before it did
 * not fill the page, so that a list in several ranges costs the same as one in a single range.
 */
export function pageCte(
  filters: PageFilters,
  keyRanges: readonly KeyRange[],
  { offset, limit }: PageWindow,
  values: BindParameters,
): string {
  const order = SORTS[filters.sort].orderBy;
  const most = values.add(limit);
  const skipped = values.add(offset);
  const scan = asIndexScan(filters);
  const parts = keyRanges.map((keyRange, at) => {
    const before = keyRanges.slice(0, at).map((_, place) => `(SELECT count(*) FROM part_${place})`);
    const isDue = [
      `${before.join(' + ')} < ${most}`,
      ...(scan === null ? [] : keyRanges.slice(0, at).map((each) => reachedRangeEnd(scan, each, values))),
    ];
    const start =
      at === 0 ? skipped : offsetInRange(filters, keyRanges.slice(0, at), skipped, offset, values);
    const part = `SELECT * FROM (SELECT * FROM (${sourceOf(filters, keyRange, { offset, limit }, values)}) AS matching
      ORDER BY ${order} LIMIT ${most} OFFSET ${start}) AS walked`;
    return `part_${at} AS MATERIALIZED (${part}${at === 0 ? '' : ` WHERE ${isDue.join(' AND ')}`})`;
  });
  const all = keyRanges.map((_, at) => `SELECT *, ${at} AS part FROM part_${at}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')}, page AS MATERIALIZED (
    SELECT ${SORTS[filters.sort].columns}, row_number() OVER (ORDER BY part, ${order}) AS place
    FROM (SELECT * FROM (${all}) AS parts ORDER BY part, ${order} LIMIT ${most}) AS filled)`;
}

/** Returns SQL for the number of entries that pass the filters. */
export function totalSql(filters: PageFilters, values: BindParameters): string {
  return `(SELECT sum(difference)::bigint FROM listing_total ${whereClause(filterConditions(filters, values))})`;
}

/**
 * Returns SQL for the number of entries to skip in a key range: the page's offset minus the number of entries in
 * earlier ranges.
 */
function offsetInRange(
  filters: PageFilters,
  before: readonly KeyRange[],
  skipped: string,
  offset: number,
  values: BindParameters,
): string {
  if (offset === 0) return '0';
  const found = before.map((_, at) => `EXISTS (SELECT FROM part_${at})`).join(' OR ');
  const counts = before.map(
    (keyRange) => `(SELECT count(*) FROM (${allOfRange(filters, keyRange, values)}) AS counted)`,
  );
  return `(CASE WHEN ${found} THEN 0 ELSE greatest(0, ${skipped} - ${counts.join(' - ')}) END)`;
}

/** Returns SQL that selects a key range's first entries, sorted only if the range is not already in order. */
function sourceOf(
  filters: PageFilters,
  keyRange: KeyRange,
  window: PageWindow,
  values: BindParameters,
): string {
  const { sort, search } = filters;
  const scan = asIndexScan(filters);
  if (scan !== null) return scannedSource(scan, keyRange, values);
  // OFFSET 0 stops the planner from walking a sort index in the hope of an early match. Search words often come from
  // names, and then all matches may be at the end of the sort order.
  if (search?.plan.by === 'filters') {
    const match = () => [...keyRange(values), ...entryConditions(sort, search.all, values)];
    return `${fromEachIndexRange(filters, match, '', values)} OFFSET 0`;
  }
  if (search !== null) return `${allOfRange(filters, keyRange, values)} OFFSET 0`;
  const end = window.offset + window.limit;
  if (chosenOf(COLUMN_FILTERS, filters).length === 0 || end > MAX_MERGED)
    return allOfRange(filters, keyRange, values);
  // Each selected index range is already sorted, so its first entries are enough.
  const first = `ORDER BY ${SORTS[sort].orderBy} LIMIT ${values.add(end)}`;
  return fromEachIndexRange(filters, () => keyRange(values), first, values);
}

/**
 * Returns SQL for the entries of each index range that the filters select, with additional conditions and an ORDER BY
 * clause.
 */
function fromEachIndexRange(
  filters: PageFilters,
  asked: () => string[],
  first: string,
  values: BindParameters,
): string {
  const { sort } = filters;
  const sameFacet = COLUMN_FILTERS.map((column) => `o.${column} = facet.${column}`);
  return `SELECT each.* FROM
    (SELECT DISTINCT ${COLUMN_FILTERS.join(', ')} FROM listing_total ${whereClause(filterConditions(filters, values))}) AS facet
    CROSS JOIN LATERAL (${selectKeys(sort)} AS o ${whereClause([...sameFacet, ...asked()])} ${first}) AS each`;
}

/** Returns all entries of a key range that match the search and the filters. */
function allOfRange(filters: PageFilters, keyRange: KeyRange, values: BindParameters): string {
  const { sort, search } = filters;
  const selection = filterConditions(filters, values);
  if (search === null) return `${selectKeys(sort)} ${whereClause([...selection, ...keyRange(values)])}`;
  const matches = [...indexConditions(search, values), ...selection];
  if (tableHasWords(sort)) return `${selectKeys(sort)} ${whereClause([...matches, ...keyRange(values)])}`;
  if (search.plan.by === 'words') {
    const ids = `subject_id IN (SELECT subject_id FROM listing_words ${whereClause(matches)})`;
    return `${selectKeys(sort)} ${whereClause([ids, ...keyRange(values)])}`;
  }
  // OFFSET 0 stops the planner from reading the whole sort index for a thousand matches.
  const place = `${selectKeys(sort)} AS o ${whereClause(['o.subject_id = matching.subject_id', ...keyRange(values)])} OFFSET 0`;
  return `SELECT placed.* FROM (SELECT subject_id FROM listing_words ${whereClause(matches)}) AS matching
    CROSS JOIN LATERAL (${place}) AS placed`;
}

function selectKeys(sort: Sort): string {
  return `SELECT ${SORTS[sort].columns} FROM ${SORTS[sort].table}`;
}
