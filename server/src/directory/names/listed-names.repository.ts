import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';

/** Whose names are looked through. */
export type Named = 'listing' | 'creator' | 'artifact';

/** A subject that a name leads to. */
export interface NamedSubject {
  id: string;
  type: 'agent' | 'skill' | 'creator';
  /** As it is shown. */
  name: string;
  /** The repository of a listing or artifact, `host:handle` of a creator. */
  about: string;
}

/** So many of the most popular ones are looked at, however common a beginning or a word is. */
const MOST_POPULAR = 1_000;
/** So many that begin with a text are looked at beside those. */
const MOST_NEAR = 300;

const CANDIDATES = `
exact AS MATERIALIZED (SELECT subject_id, weight, 0 AS class FROM listed_name WHERE of = $1 AND key = $2
  ORDER BY weight DESC, subject_id LIMIT $4),
popular AS MATERIALIZED (SELECT subject_id, weight, CASE WHEN key ^@ $2 THEN 1 ELSE 2 END AS class
  FROM (SELECT * FROM listed_name WHERE of = $1 ORDER BY weight DESC, key, subject_id LIMIT ${MOST_POPULAR}) AS top
  WHERE key ^@ $2 OR words @@ $3::tsquery),
near AS MATERIALIZED (SELECT subject_id, weight, 1 AS class FROM listed_name
  WHERE of = $1 AND key >= $2 AND key < $2 || U&'\\+10FFFF' ORDER BY key LIMIT ${MOST_NEAR}),
-- Rare among the popular, a word is rare at all.
worded AS MATERIALIZED (SELECT subject_id, weight, 2 AS class FROM listed_name
  WHERE $3::tsquery IS NOT NULL AND (SELECT count(*) FROM popular) < $4 AND of = $1 AND words @@ $3::tsquery
  LIMIT ${MOST_POPULAR}),
best AS MATERIALIZED (SELECT subject_id, min(class) AS class, max(weight) AS weight
  FROM (TABLE exact UNION ALL TABLE popular UNION ALL TABLE near UNION ALL TABLE worded) AS each
  GROUP BY subject_id ORDER BY class, weight DESC, subject_id LIMIT 5 * $4)`;

/** What is shown of each kind of subject. */
const SHOWN: Readonly<Record<Named, string>> = {
  listing: `SELECT best.*, l.type, l.name, l.repository AS about, k.trust FROM best
    JOIN listing l ON l.subject_id = best.subject_id JOIN listing_rank k ON k.subject_id = l.subject_id`,
  creator: `SELECT best.*, 'creator' AS type, coalesce(c.display_name, c.handle) AS name, c.host || ':' || c.handle AS about,
    NULL::float8 AS trust FROM best JOIN creator c ON c.subject_id = best.subject_id AND c.merged_into IS NULL`,
  artifact: `SELECT best.*, a.type, a.name, l.repository AS about, NULL::float8 AS trust FROM best
    JOIN artifact a ON a.subject_id = best.subject_id JOIN listing l ON l.subject_id = a.listing_id`,
};

/**
 * Those whose name is this text, then whose name begins so, then whose names have all the words (null: none of these); among
 * equals the popular first. `key` is a name as \`nameKey\` makes it. Bounded, however many there are.
 */
export function findNames(
  connection: Connection,
  of: Named,
  { key, words, most }: { key: string; words: string | null; most: number },
): Promise<NamedSubject[]> {
  return connection.query<NamedSubject>(
    `${PLANNED_ANEW} WITH ${CANDIDATES}
     SELECT subject_id AS id, type, name, about FROM (${SHOWN[of]}) AS shown
     ORDER BY class, weight DESC, trust DESC NULLS LAST, length(name), lower(name), subject_id LIMIT $4`,
    [of, key, words, most],
  );
}

/** The commonest tags that begin so, as the database's statistics know them. */
export async function findTags(connection: Connection, start: string, most: number): Promise<string[]> {
  const rows = await connection.query<{ tag: string }>(
    `SELECT substr(word, 4) AS tag FROM pg_stats
     CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
     WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word ^@ ('#t:' || $1)
     ORDER BY share DESC, word LIMIT $2`,
    [start, most],
  );
  return rows.map(({ tag }) => tag);
}
