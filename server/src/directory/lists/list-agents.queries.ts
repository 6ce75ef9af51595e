import type { Connection } from '../../platform/database/connect.ts';
import { BindParameters, FRESH_PLAN, whereClause } from '../../platform/database/send-statement.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { checkMatch, isByRank, isMatch, isRanked, type Match } from '../search/match-conditions.sql.ts';
import { activityStableForMs } from './activity.ts';
import { COLUMN_FILTERS, chosenOf, type FilterSelection } from './filters.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { SORTS, type Sort } from './sorts.ts';

/** A list entry with the text that `cursorKey` of the sort selects for a cursor after this entry. */
export type ListedRow = AgentRecord & { cursorKey: string | null };

/** Returns the record of a list entry, without the members that only sort and page it. */
export function toRecord(row: ListedRow & { place?: unknown }): AgentRecord {
  const { cursorKey: _cursorKey, place: _place, ...record } = row;
  return record;
}

/**
 * Reads the entries of one page, in order, and the total, in one statement. The total is null for an empty page and for
 * a search, whose matches are counted before, to choose how they are found. Reads whole rows only of shown entries.
 */
export async function readPage(
  connection: Connection,
  filters: PageFilters,
  keyRanges: readonly KeyRange[],
  window: PageWindow,
): Promise<{ rows: ListedRow[]; total: number | null }> {
  const values = new BindParameters();
  const page = pageCte(filters, keyRanges, window, values);
  const total = filters.search === null ? totalSql(filters, values) : 'NULL';
  const found = await connection.query<ListedRow & { total: number | null }>(
    `${FRESH_PLAN} ${page}
     SELECT ${AGENT_COLUMNS}, ${SORTS[filters.sort].cursorKey} AS "cursorKey", ${total} AS total
     FROM page JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    values.list,
  );
  return { rows: found.map(({ total: _total, ...row }) => row), total: found[0]?.total ?? null };
}

/** Reads entries by id, in the given order. */
export function readEntries(
  connection: Connection,
  entries: readonly { agentId: string; popularity: number }[],
): Promise<ListedRow[]> {
  return connection.query<ListedRow>(
    `SELECT ${AGENT_COLUMNS}, ${SORTS.relevance.cursorKey} AS "cursorKey"
     FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS page (agent_id, popularity, place)
     JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    [entries.map(({ agentId }) => agentId), entries.map(({ popularity }) => popularity)],
  );
}

/** Details of a list entry that its record does not contain. */
export interface EntryDetails {
  /** Lower bound of the confirmed score; null without one. */
  lowerBound: number | null;
  /** Time when the repository's metrics were read; null if the source states no such time. */
  figuresAt: string | null;
  /** True if the repository is published under an MCP registry namespace, or a domain, that belongs to its owner. */
  isOfficial: boolean;
  /** Database time of the read, for computing ages. */
  readAt: string;
}

/**
 * SQL for whether listing `l` is published in the MCP registry under a namespace or domain that belongs to its owner.
 */
export const IS_OFFICIAL = `EXISTS (SELECT FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = 'official_maker')`;

/**
 * Loads details of the records, by subject. The lower bound belongs to the score version of the record, even if the
 * subject was scored again since. Limits the lifetime of a cached response to the time when the displayed age of a last
 * commit changes.
 */
export async function loadEntryDetails(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, EntryDetails>> {
  if (records.length === 0) return new Map();
  const commits = records.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
  const rows = await queryTimeDependent<EntryDetails & { id: string }>(
    connection,
    `SELECT shown.id, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
       ${IS_OFFICIAL} AS "isOfficial", utc_text(ledger_now()) AS "readAt"
     FROM unnest($1::uuid[], $2::timestamptz[]) AS shown (id, version)
     LEFT JOIN listing l ON l.subject_id = shown.id
     LEFT JOIN score v ON v.subject_id = shown.id AND v.version = shown.version`,
    [records.map(({ subjectId }) => subjectId), records.map(({ scoreVersion }) => scoreVersion)],
    ([first]) => (first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY),
  );
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}

/** Filters on columns, search and sort of a page. */
export interface PageFilters extends FilterSelection {
  /** The matches and how to find them; null for all entries. */
  search: { match: Match; by: Finding } | null;
  sort: Sort;
}

/**
 * Strategy for finding the matches of a page.
 * - `words`: finds all matches by the word index, then sorts them; only for up to 10,000 matches.
 * - `rank`: checks entries in sort order until the page is full; for more matches, and for fewer if it is likely to
 *   check few entries.
 * `npm run bench -- search` measures both at a million listings; `ways-of-finding.long.test.ts` compares their pages.
 */
export type Finding = 'words' | 'rank';

export interface PageWindow {
  offset: number;
  limit: number;
}

/**
 * Maximum entries read from the start of each index range to merge the ranges. For a page that ends further down, the
 * ranges are not read separately.
 */
const MAX_MERGED = 1_000;

/**
 * Builds the CTE `page`: ids and positions of a page's entries. Reads each key range only if the ranges before it did
 * not fill the page, so that a list in several ranges costs the same as one in a single range.
 */
function pageCte(
  filters: PageFilters,
  keyRanges: readonly KeyRange[],
  { offset, limit }: PageWindow,
  values: BindParameters,
): string {
  const order = SORTS[filters.sort].orderBy;
  const most = values.add(limit);
  const skipped = values.add(offset);
  const parts = keyRanges.map((keyRange, at) => {
    const before = keyRanges.slice(0, at).map((_, place) => `(SELECT count(*) FROM part_${place})`);
    const isDue = `${before.join(' + ')} < ${most}`;
    const start =
      at === 0 ? skipped : offsetInRange(filters, keyRanges.slice(0, at), skipped, offset, values);
    const part = `SELECT * FROM (SELECT * FROM (${sourceOf(filters, keyRange, { offset, limit }, values)}) AS matching
      ORDER BY ${order} LIMIT ${most} OFFSET ${start}) AS walked`;
    return `part_${at} AS MATERIALIZED (${part}${at === 0 ? '' : ` WHERE ${isDue}`})`;
  });
  const all = keyRanges.map((_, at) => `SELECT *, ${at} AS part FROM part_${at}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')}, page AS MATERIALIZED (
    SELECT ${SORTS[filters.sort].columns}, row_number() OVER (ORDER BY part, ${order}) AS place
    FROM (SELECT * FROM (${all}) AS parts ORDER BY part, ${order} LIMIT ${most}) AS filled)`;
}

/** Returns SQL for the number of entries that pass the filters. */
function totalSql(filters: PageFilters, values: BindParameters): string {
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
    (keyRange) => `(SELECT count(*) FROM (${entriesOf(filters, keyRange, values)}) AS counted)`,
  );
  return `(CASE WHEN ${found} THEN 0 ELSE greatest(0, ${skipped} - ${counts.join(' - ')}) END)`;
}

/** Returns SQL for all entries of a key range that match the search and the filters. */
function entriesOf(filters: PageFilters, keyRange: KeyRange, values: BindParameters): string {
  const { sort, search } = filters;
  if (search?.by === 'words') return allOfRange(filters, search.match, keyRange, values);
  const checks = search === null ? [] : entryConditions(sort, search.match, values);
  const all = [...filterConditions(filters, values), ...keyRange(values), ...checks];
  return `${selectKeys(sort)} AS o ${whereClause(all)}`;
}

/**
 * Returns SQL for the entries of a key range from which a page is read: all of them, or only the first ones of each
 * index range that the filters select.
 */
function sourceOf(
  filters: PageFilters,
  keyRange: KeyRange,
  window: PageWindow,
  values: BindParameters,
): string {
  const { sort, search } = filters;
  // OFFSET 0 prevents the planner from scanning a sort index until it finds enough matches. Search words often come
  // from names, so in the order by name all matches may be at the end of that index.
  if (search?.by === 'words') return `${allOfRange(filters, search.match, keyRange, values)} OFFSET 0`;
  const end = window.offset + window.limit;
  if (chosenOf(COLUMN_FILTERS, filters).length === 0 || end > MAX_MERGED)
    return entriesOf(filters, keyRange, values);
  // The filters select one or more index ranges, each already sorted, so the first entries of each range are enough.
  const first = `ORDER BY ${SORTS[sort].orderBy} LIMIT ${values.add(end)}`;
  const asked = () => [
    ...keyRange(values),
    ...(search === null ? [] : entryConditions(sort, search.match, values)),
  ];
  return fromEachIndexRange(filters, asked, first, values);
}

/**
 * Returns SQL for the union of the index ranges that the filters select, one for each combination of column values.
 * Each range gets the conditions that `asked` returns, and the clauses `first` (ORDER BY and LIMIT).
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

/** Returns SQL that finds, by the word index, all entries of a key range that match the search and the filters. */
function allOfRange(filters: PageFilters, match: Match, keyRange: KeyRange, values: BindParameters): string {
  const { sort } = filters;
  const matches = [isMatch(match, values), ...filterConditions(filters, values)];
  if (tableHasWords(sort)) return `${selectKeys(sort)} ${whereClause([...matches, ...keyRange(values)])}`;
  // OFFSET 0 makes the planner look up the key of each match, instead of reading the whole sort index and joining it.
  const place = `${selectKeys(sort)} AS o ${whereClause(['o.subject_id = matching.subject_id', ...keyRange(values)])} OFFSET 0`;
  return `SELECT placed.* FROM (SELECT subject_id FROM listing_words ${whereClause(matches)}) AS matching
    CROSS JOIN LATERAL (${place}) AS placed`;
}

function selectKeys(sort: Sort): string {
  return `SELECT ${SORTS[sort].columns} FROM ${SORTS[sort].table}`;
}

/** Returns SQL conditions that check whether an entry `o` of a sort table matches the search. */
function entryConditions(sort: Sort, match: Match, values: BindParameters): string[] {
  const { ranked = [], ...words } = match;
  const isInRank = SORTS[sort].table === 'listing_rank' && ranked.length > 0;
  if (isInRank)
    return [isRanked(ranked, 'o', values), ...(isByRank(match) ? [] : entryConditions(sort, words, values))];
  if (tableHasWords(sort) || isByRank(match)) return [checkMatch(match, values, 'o')];
  // OFFSET 0 keeps the subquery per entry: otherwise the planner may underestimate the number of matches, and first find
  // all of them.
  const check = checkMatch(match, values, 'w');
  return [`EXISTS (SELECT FROM listing_words w WHERE w.subject_id = o.subject_id AND ${check} OFFSET 0)`];
}

/** Returns true if the table of a sort order contains the search words. */
function tableHasWords(sort: Sort): boolean {
  return SORTS[sort].table === 'listing_words';
}

/** Returns SQL conditions of the column filters, for any table that has these columns. */
export function filterConditions(selection: FilterSelection, values: BindParameters): string[] {
  return chosenOf(COLUMN_FILTERS, selection).map(([column, value]) =>
    typeof value === 'boolean' ? (value ? column : `NOT ${column}`) : `${column} = ${values.add(value)}`,
  );
}
