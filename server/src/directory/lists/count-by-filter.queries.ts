import type { Connection } from '../../platform/database/connect.ts';
import { BindParameters, FRESH_PLAN, whereClause } from '../../platform/database/send-statement.ts';
import {
  checkMatch,
  isMatch,
  isRanked,
  type Match,
  type RankedValue,
} from '../search/match-conditions.sql.ts';
import type { Facet, ValueCount } from './count-by-filter.ts';
import {
  COUNTED_FILTERS,
  COUNTED_TERM_FILTERS,
  chosenOf,
  type FilterSelection,
  filterTermsOf,
  quoteFilterTerm,
} from './filters.ts';
import { filterConditions } from './list-agents.queries.ts';

/** Columns of `listing_total` and `listing_words` by whose values listings are counted. */
const FACET_COLUMNS = COUNTED_FILTERS.join(', ');

/** Counts all listings by filter values, from stored totals. The cost does not depend on the number of listings. */
export function readTotals(connection: Connection): Promise<Facet[]> {
  return connection.query<Facet>(
    `SELECT ${FACET_COLUMNS}, sum(difference)::bigint AS count FROM listing_total
     GROUP BY ${FACET_COLUMNS} HAVING sum(difference) > 0`,
  );
}

/**
 * Counts the matches of a search by filter values. Reads at most `most` matches (null: all). The best plan depends on
 * the number of matches, so every call gets a fresh plan.
 */
export function countMatches(
  connection: Connection,
  match: Match,
  selection: FilterSelection,
  most: number | null,
): Promise<Facet[]> {
  const values = new BindParameters();
  const conditions = [isMatch(match, values), ...totalConditions(selection, values)];
  const limit = most === null ? '' : `LIMIT ${values.add(most)}`;
  return connection.query<Facet>(
    `${FRESH_PLAN} SELECT ${FACET_COLUMNS}, count(*) AS count
     FROM (SELECT ${FACET_COLUMNS} FROM listing_words ${whereClause(conditions)} ${limit}) AS found GROUP BY ${FACET_COLUMNS}`,
    values.list,
  );
}

/**
 * Returns the `most` most common tags of the matches with their counts, by reading each match. A null match means all
 * listings.
 */
export function readTags(
  connection: Connection,
  match: Match | null,
  selection: FilterSelection,
  most: number,
): Promise<ValueCount[]> {
  const values = new BindParameters();
  const conditions = filterConditions(selection, values);
  if (match !== null) {
    const found = `SELECT subject_id FROM listing_words ${whereClause([isMatch(match, values)])}`;
    conditions.push(`subject_id IN (${found})`);
  }
  return connection.query<ValueCount>(
    `${FRESH_PLAN} SELECT lower(tag COLLATE "C") AS value, count(DISTINCT subject_id)::int AS count
     FROM listing_order CROSS JOIN LATERAL unnest(tags) AS tag WHERE ${['true', ...conditions].join(' AND ')}
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${values.add(most)}`,
    values.list,
  );
}

/**
 * SQL for the FROM clause of the most common tags of all listings, from PostgreSQL's statistics. `word` is the tag with
 * the prefix of its filter term, and `share` the share of listings that have it.
 */
export const COMMON_TAGS = `pg_stats
  CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
  WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word LIKE '#t:%'`;

/** Returns the `most` most common tags of all listings. */
export async function readCommonTags(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ tag: string }>(
    `SELECT substr(word, 4) AS tag FROM ${COMMON_TAGS} ORDER BY share DESC, word LIMIT $1`,
    [most],
  );
  return rows.map(({ tag }) => tag);
}

/** Counts the entries of each verdict. With a search, counts among at most `most` of its matches (null: all). */
export function countVerdicts(
  connection: Connection,
  match: Match | null,
  selection: FilterSelection,
  most: number | null,
): Promise<ValueCount[]> {
  const values = new BindParameters();
  const conditions = ['verdict IS NOT NULL', ...filterConditions(selection, values)];
  if (match !== null) {
    const limit = most === null ? '' : `LIMIT ${values.add(most)}`;
    conditions.push(
      `subject_id IN (SELECT subject_id FROM listing_words ${whereClause([isMatch(match, values)])} ${limit})`,
    );
  }
  return connection.query<ValueCount>(
    `${FRESH_PLAN} SELECT verdict AS value, count(*)::int AS count FROM listing_rank ${whereClause(conditions)} GROUP BY verdict`,
    values.list,
  );
}

/** Counts the entries that have these values in `listing_rank` and pass the column filters. */
export async function countRanked(
  connection: Connection,
  ranked: readonly RankedValue[],
  selection: FilterSelection,
): Promise<number> {
  const values = new BindParameters();
  const conditions = [isRanked(ranked, 'listing_rank', values), ...filterConditions(selection, values)];
  const [row] = await connection.query<{ count: number }>(
    `${FRESH_PLAN} SELECT count(*)::int AS count FROM listing_rank ${whereClause(conditions)}`,
    values.list,
  );
  return row?.count ?? 0;
}

/** Counts for each tag how many matches of a search (null: of all listings) have it, at most `most` per tag. */
export function countTagged(
  connection: Connection,
  tags: readonly string[],
  match: Match | null,
  selection: FilterSelection,
  most: number,
): Promise<ValueCount[]> {
  const values = new BindParameters();
  const asked = [
    values.add(tags),
    values.add(tags.map((tag) => filterTermsOf({ tag }).map(quoteFilterTerm).join(''))),
  ];
  const conditions = [
    'words @@ asked.term::tsquery',
    ...(match === null ? [] : [checkMatch(match, values)]),
    ...totalConditions(selection, values),
  ];
  return connection.query<ValueCount>(
    `${FRESH_PLAN} SELECT asked.tag AS value, counted.count
     FROM unnest(${asked[0]}::text[], ${asked[1]}::text[]) WITH ORDINALITY AS asked (tag, term, place)
     CROSS JOIN LATERAL (SELECT count(*)::int AS count FROM
       (SELECT FROM listing_words ${whereClause(conditions)} LIMIT ${values.add(most)}) AS each) AS counted ORDER BY place`,
    values.list,
  );
}

/**
 * Returns SQL conditions of the filters that have a column in `listing_total` and `listing_words`. Values that are also
 * search terms ignore the case of A to Z.
 */
function totalConditions(selection: FilterSelection, values: BindParameters): string[] {
  const terms = chosenOf(COUNTED_TERM_FILTERS, selection).map(
    ([column, value]) => `lower(${column} COLLATE "C") = lower(${values.add(value)}::text COLLATE "C")`,
  );
  return [...filterConditions(selection, values), ...terms];
}
