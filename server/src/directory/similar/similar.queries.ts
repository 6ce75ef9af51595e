import type { Connection } from '../../platform/database/connect.ts';

/**
 * Returns the estimated number of listings, and the share of listings with each of these lexemes, if PostgreSQL's
 * statistics have it.
 */
export async function readFrequencies(
  connection: Connection,
  lexemes: readonly string[],
): Promise<{ listings: number; parts: Map<string, number> }> {
  const rows = await connection.query<{ listings: number; lexeme: string | null; part: number | null }>(
    `SELECT c.reltuples::float8 AS listings, m.lexeme, m.part::float8 AS part
     FROM pg_class c LEFT JOIN (pg_stats s
       CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS m (lexeme, part))
       ON s.schemaname = current_schema() AND s.tablename = c.relname AND s.attname = 'words' AND m.lexeme = ANY ($1)
     WHERE c.oid = 'listing_words'::regclass`,
    [lexemes],
  );
  const parts = rows.flatMap(({ lexeme, part }) =>
    lexeme === null || part === null ? [] : [[lexeme, part] as const],
  );
  return { listings: Math.max(0, rows[0]?.listings ?? 0), parts: new Map(parts) };
}

/** Criteria of similarity: conditions as `tsquery` text, with weights. */
export interface Likeness {
  subjectId: string;
  category: string;
  /** Lexemes that a listing must have at least one of to be compared. */
  sought: readonly string[];
  terms: readonly { query: string; weight: number }[];
}

/** Maximum listings compared; more would share only common lexemes. */
const MAX_LOOKED_AT = 5_000;

const SIMILAR = `
WITH term AS (SELECT t.query::tsquery AS query, t.weight FROM unnest($2::text[], $3::float8[]) AS t (query, weight)),
found AS (SELECT w.subject_id, w.words, w.category FROM listing_words w
  WHERE w.words @@ $4::tsquery AND w.subject_id <> $1 LIMIT ${MAX_LOOKED_AT})
SELECT f.subject_id AS id FROM found f
CROSS JOIN LATERAL (SELECT sum(t.weight) AS worth FROM term t WHERE f.words @@ t.query) shared
JOIN listing_order o ON o.subject_id = f.subject_id
ORDER BY shared.worth * CASE WHEN f.category = $5 THEN 1.25 ELSE 1 END DESC, o.stars DESC NULLS LAST, o.agent_id LIMIT $6`;

/** Returns the listings that share most with one, best first. */
export async function findLikest(
  connection: Connection,
  { subjectId, category, sought, terms }: Likeness,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(SIMILAR, [
    subjectId,
    terms.map(({ query }) => query),
    terms.map(({ weight }) => weight),
    sought.join(' | '),
    category,
    most,
  ]);
  return rows.map(({ id }) => id);
}
