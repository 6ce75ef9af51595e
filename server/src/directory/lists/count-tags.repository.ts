import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import type { Choice } from './count-by-filter.ts';
import type { ValueCount } from './count-values.ts';
import { Values } from './list-agents-stretches.sql.ts';

/** The commonest tags of what a search (null: everything) and filters leave, each looked at. */
export function readTags(
  connection: Connection,
  search: string | null,
  choice: Choice,
  most: number,
): Promise<ValueCount[]> {
  const values = new Values();
  const conditions = chosen({ ...choice, license: null }, values);
  if (search !== null) {
    const match = `SELECT subject_id FROM listing_words WHERE words @@ ${values.add(search)}::tsquery`;
    conditions.push(`subject_id IN (${match})`);
  }
  return connection.query<ValueCount>(
    `${PLANNED_ANEW} SELECT lower(tag COLLATE "C") AS value, count(DISTINCT subject_id)::int AS count
     FROM listing_order CROSS JOIN LATERAL unnest(tags) AS tag WHERE ${['true', ...conditions].join(' AND ')}
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${values.add(most)}`,
    values.list,
  );
}

/** The commonest tags of all listings, as the database's own statistics know them. */
export async function readCommonTags(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ tag: string }>(
    `SELECT substr(word, 4) AS tag FROM pg_stats
     CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
     WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word LIKE '#t:%'
     ORDER BY share DESC, word LIMIT $1`,
    [most],
  );
  return rows.map(({ tag }) => tag);
}

/** How many entries filters leave of each of these searches, in order, from kept totals; null for one that is not kept. */
export async function readKeptCounts(
  connection: Connection,
  searches: readonly string[],
  choice: Choice,
): Promise<(number | null)[]> {
  const values = new Values();
  const asked = values.add(searches);
  const conditions = ['true', ...chosen(choice, values)].join(' AND ');
  const rows = await connection.query<{ count: number | null }>(
    `SELECT CASE WHEN kept AND EXISTS (SELECT FROM search_total t WHERE t.search = asked.search) THEN (
         coalesce((SELECT sum(count) FROM search_total t WHERE t.search = asked.search AND ${conditions}), 0)
         + coalesce((SELECT sum(difference) FROM search_change c WHERE c.words @@ asked.search AND ${conditions}), 0))::int
       END AS count
     FROM (SELECT search::tsquery, place FROM unnest(${asked}::text[]) WITH ORDINALITY AS each (search, place)) AS asked,
       (SELECT NOT EXISTS (SELECT FROM search_change WHERE words IS NULL) AS kept) AS state
     ORDER BY place`,
    values.list,
  );
  return rows.map(({ count }) => count);
}

function chosen(choice: Choice, values: Values): string[] {
  const { type = null, verified, tier, category, kind = null, license = null } = choice;
  return [
    ...(type === null ? [] : [`type = ${values.add(type)}`]),
    ...(verified === null ? [] : [verified ? 'verified' : 'NOT verified']),
    ...(tier === null ? [] : [`tier = ${values.add(tier)}`]),
    ...(category === null ? [] : [`category = ${values.add(category)}`]),
    ...(kind === null ? [] : [`kind = ${values.add(kind)}`]),
    ...(license === null
      ? []
      : [`lower(license COLLATE "C") = lower(${values.add(license)}::text COLLATE "C")`]),
  ];
}
