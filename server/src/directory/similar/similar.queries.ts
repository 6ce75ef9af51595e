import type { FlagRow } from '../../catalog/relations/listing-flags.fragment.ts';
import { FLAG_ORDER, FLAGS_OF_ASKED } from '../../catalog/relations/listing-flags.fragment.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { activityStableForMs } from '../lists/activity.ts';
import type { EntryDetails } from '../lists/entry-details.queries.ts';

/** A term that listings may share, as text and as a `tsquery`, and its weight relative to other terms. */
export interface Lexeme {
  text: string;
  query: string;
  worth: number;
}

/** A similar listing with everything that a list shows of it, except the paths of its links. */
export interface SimilarRow extends AgentRecord, EntryDetails {
  flags: FlagRow[] | null;
}

/** Assumed share of listings with a lexeme that is missing from the statistics. */
const ASSUMED_RARE_SHARE = 0.001;
/** Looks for listings with the rarest lexeme, and the next ones while at most this many matches are expected. */
const MAX_EXPECTED = 4_000;
/**
 * Maximum similar listings. A constant, because with a parameter PostgreSQL would plan for a tenth of all compared
 * listings.
 */
const MAX_SIMILAR = 5;
/** Maximum listings compared; more would share only common lexemes. */
const MAX_LOOKED_AT = 5_000;

/**
 * Finds the listings and reads all that is shown of them, in one statement, because a page waits for each round trip.
 * `term` weighs lexemes by their rarity in PostgreSQL's statistics; the share of a lexeme counts as at most 0.99.
 * `asked` has the listings that share most.
 */
const SIMILAR = `WITH RECURSIVE frequent AS (
  SELECT m.lexeme, m.part::float8 AS part
  FROM pg_stats s CROSS JOIN LATERAL unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) AS m (lexeme, part)
  WHERE s.schemaname = current_schema() AND s.tablename = 'listing_words' AND s.attname = 'words' AND m.lexeme = ANY ($2)),
term AS MATERIALIZED (
  SELECT t.query::tsquery AS query, t.worth * ln(1 / least(t.part, 0.99)) AS weight, row_number() OVER rarest AS rank,
    sum(t.part) OVER rarest * (SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = 'listing_words'::regclass) AS expected
  FROM (SELECT l.query, l.worth, l.place, coalesce(frequent.part, ${ASSUMED_RARE_SHARE}) AS part
    FROM unnest($2::text[], $3::text[], $4::float8[]) WITH ORDINALITY AS l (lexeme, query, worth, place)
    LEFT JOIN frequent ON frequent.lexeme = l.lexeme) AS t
  WINDOW rarest AS (ORDER BY t.part, t.place ROWS UNBOUNDED PRECEDING)),
found AS (SELECT w.subject_id, w.words, w.category FROM listing_words w
  WHERE w.words @@ (SELECT string_agg(query::text, ' | ')::tsquery FROM term WHERE rank = 1 OR expected <= ${MAX_EXPECTED})
    AND w.subject_id <> $1 LIMIT ${MAX_LOOKED_AT}),
asked AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY shared.worth * CASE WHEN f.category = $5 THEN 1.25 ELSE 1 END DESC,
    o.stars DESC NULLS LAST, o.agent_id) AS n, f.subject_id AS id
  FROM found f CROSS JOIN LATERAL (SELECT sum(t.weight) AS worth FROM term t WHERE f.words @@ t.query) shared
  JOIN listing_order o ON o.subject_id = f.subject_id ORDER BY n LIMIT ${MAX_SIMILAR}),
${FLAGS_OF_ASKED},
flags AS MATERIALIZED (SELECT n, jsonb_agg(to_jsonb(flag) - 'n' ORDER BY ${FLAG_ORDER}) AS flags FROM flag GROUP BY n)
SELECT ${AGENT_COLUMNS}, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
  utc_text(ledger_now()) AS "readAt", flags.flags
FROM asked JOIN (${AGENT_TABLES}) ON l.subject_id = asked.id
LEFT JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version
LEFT JOIN flags ON flags.n = asked.n ORDER BY asked.n`;

/** Lists what a listing is compared by. */
export interface Likeness {
  subjectId: string;
  category: string;
  lexemes: readonly Lexeme[];
}

/**
 * Returns the listings that share most with one, best first. The response expires when the displayed age of one of the
 * last commits changes.
 */
export function findLikest(
  connection: Connection,
  { subjectId, category, lexemes }: Likeness,
): Promise<SimilarRow[]> {
  return queryTimeDependent<SimilarRow>(
    connection,
    SIMILAR,
    [
      subjectId,
      lexemes.map(({ text }) => text),
      lexemes.map(({ query }) => query),
      lexemes.map(({ worth }) => worth),
      category,
    ],
    (rows) => {
      const [first] = rows;
      const commits = rows.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
      return first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY;
    },
  );
}
