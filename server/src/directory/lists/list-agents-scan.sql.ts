import { COLUMN_FILTERS, licenseOf } from './filters.ts';
import type { BindParameters, KeyRange } from './key-ranges.sql.ts';
import type { PageFilters } from './list-agents-page.sql.ts';
import {
  entryConditions,
  filterConditions,
  indexConditions,
  tableHasWords,
  whereClause,
} from './list-conditions.sql.ts';
import type { ScannedOrder, SearchPlan } from './search-plan.ts';
import { SORTS, type Sort } from './sorts.ts';

/** A search whose plan scans a sort index. */
export type IndexScan = PageFilters & {
  search: NonNullable<PageFilters['search']> & { plan: SearchPlan & { most: number } };
};

/** Returns the filters if their plan is an index scan, otherwise null. */
export function asIndexScan(filters: PageFilters): IndexScan | null {
  const plan = filters.search?.plan;
  return plan?.by === 'index-scan' || plan?.by === 'hash-filter' ? (filters as IndexScan) : null;
}

/** Returns the matches among the first entries of the sort order, up to the plan's limit. */
export function scannedSource(scan: IndexScan, keyRange: KeyRange, values: BindParameters): string {
  const { sort, search } = scan;
  const [columns, match] = checksOf(scan);
  const walked = `SELECT ${[SORTS[sort].columns, ...columns].join(', ')} FROM ${SORTS[sort].table}
    ${whereClause([...keyRange(values), ...scannedPart(scan, values)])} ORDER BY ${SORTS[sort].orderBy} LIMIT ${values.add(search.plan.most)}`;
  return `SELECT ${SORTS[sort].columns} FROM (${walked}) AS o ${whereClause(match(values))}`;
}

/**
 * Returns SQL that is true if the scan reached the end of the key range within its limit. Only then may the page
 * continue with later ranges.
 */
export function reachedRangeEnd(scan: IndexScan, keyRange: KeyRange, values: BindParameters): string {
  const { sort, search } = scan;
  return `NOT EXISTS (SELECT FROM ${SORTS[sort].table} ${whereClause([...keyRange(values), ...scannedPart(scan, values)])}
    ORDER BY ${SORTS[sort].orderBy} OFFSET ${values.add(search.plan.most)} LIMIT 1)`;
}

/** Describes the index that a search with these filter terms would scan. */
export function scannedOrder(filterTerms: readonly string[], sort: Sort): ScannedOrder {
  return { has: tableHasWords(sort) ? 'words' : 'term bits', license: scannedLicense(filterTerms, sort) };
}

/**
 * Returns the licence whose own index range can be scanned. Null if none is selected or the order has no such ranges.
 */
function scannedLicense(filterTerms: readonly string[], sort: Sort): string | null {
  if (SORTS[sort].table !== 'listing_rank') return null;
  return filterTerms.map(licenseOf).find((license) => license !== null) ?? null;
}

/** Returns conditions for the scanned part of the index: one licence, or entries with any filter term. */
function scannedPart({ sort, search: { filterTerms = [] } }: IndexScan, values: BindParameters): string[] {
  const license = scannedLicense(filterTerms, sort);
  if (license !== null) return [`license = ${values.add(license)}`, `license <> ''`];
  return filterTerms.length > 0 && SORTS[sort].table === 'listing_rank' ? ['marks <> 0'] : [];
}

/** Returns the columns that the scan reads besides the keys, and the conditions on each entry `o`. */
function checksOf(scan: IndexScan): [columns: string[], match: (values: BindParameters) => string[]] {
  const { sort, search } = scan;
  const { plan, filterTerms = [], hasWords: hasSearchWords = true } = search;
  if (plan.by === 'hash-filter') {
    const matchIds = (values: BindParameters) =>
      idsOf([...indexConditions(search, values), ...filterConditions(scan, values)]);
    if (!plan.isCached) return [[], (values) => [isAmong(matchIds(values))]];
    return [[], (values) => [isAmong(cachedIds(search.all, matchIds(values), values)), hasAll(scan, values)]];
  }
  const left = filterTerms.filter(
    (term) => licenseOf(term) === null || scannedLicense(filterTerms, sort) === null,
  );
  if (left.length > 0 && !tableHasWords(sort))
    return [['marks'], (values) => [...left.map((term) => hasTermBits(term, values)), hasAll(scan, values)]];
  const columns = ['subject_id', ...COLUMN_FILTERS, ...(tableHasWords(sort) ? ['words'] : [])];
  const bitsSuffice = !hasSearchWords && left.length === 0 && filterTerms.length > 0;
  return [
    columns,
    (values) => [
      ...filterConditions(scan, values),
      ...(bitsSuffice ? [] : entryConditions(sort, search.all, values)),
    ],
  ];
}

/** Excludes most entries by the bits of their filter terms (a small Bloom filter), before any lookup. */
function hasTermBits(term: string, values: BindParameters): string {
  const bits = `mark_bits(${values.add(term)}::text)`;
  return `o.marks & ${bits} = ${bits}`;
}

/** Checks all conditions of a candidate. Looks it up by id, so that the scan remains index-only. */
function hasAll(scan: IndexScan, values: BindParameters): string {
  const match = [
    `(words @@ ${values.add(scan.search.all)}::tsquery) IS TRUE`,
    ...filterConditions(scan, values),
  ];
  const matches = `SELECT FROM listing_words w ${whereClause(['w.subject_id = l.subject_id', ...match])} OFFSET 0`;
  return `EXISTS (SELECT FROM listing l WHERE l.agent_id = o.agent_id AND EXISTS (${matches}) OFFSET 0)`;
}

/** Returns the ids of matching entries as an array. */
function idsOf(match: readonly string[]): string {
  return `ARRAY(SELECT agent_id FROM listing_words ${whereClause(match)})`;
}

/**
 * Returns SQL for the stored ids of the matches and of listings that became matches later, a superset of the matches.
 * If no ids are stored, it is `matchIds`, which computes them.
 */
function cachedIds(text: string, matchIds: string, values: BindParameters): string {
  const search = `${values.add(text)}::tsquery`;
  return `CASE WHEN EXISTS (SELECT FROM search_match WHERE search = ${search}) AND NOT EXISTS (SELECT FROM search_change WHERE words IS NULL)
    THEN ARRAY(SELECT unnest(agent_ids) FROM search_match WHERE search = ${search}
      UNION ALL SELECT agent_id FROM search_change WHERE difference = 1 AND words @@ ${search})
    ELSE ${matchIds} END`;
}

/**
 * Returns a condition that entry `o` is among the matches. The planner assumes few elements in an array and hashes
 * them; IS TRUE stops it from joining them, so that the scan remains index-only.
 */
function isAmong(ids: string): string {
  return `(o.agent_id IN (SELECT unnest(${ids}))) IS TRUE`;
}
