import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead, type IndexedRow } from '../../platform/batching/batched-read.ts';
import { statementLimiter } from '../../platform/batching/statement-limiter.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import {
  BEST_SUBJECTS,
  FOUND_ORDER,
  FOUND_SUBJECT,
  type FoundSubject,
  LOOKUP_COLUMNS,
  type RankedAlias,
  type SubjectLookup,
  WITHIN_LIMIT,
} from './found-subject.fragment.ts';
import type { PublicUrls } from './public-path.ts';
import type { HostId } from './read-host-id.ts';

/**
 * Maximum aliases of a lookup that is batched. Larger ones, such as for a page of receipts, are statements of their
 * own.
 */
const MAX_BATCHED_ALIASES = 32;

const SQL = `WITH c AS MATERIALIZED (${batchRows(LOOKUP_COLUMNS)}), ${BEST_SUBJECTS}
SELECT c.n, found.* FROM best JOIN c ON ${WITHIN_LIMIT} CROSS JOIN LATERAL (${FOUND_SUBJECT}) AS found
ORDER BY c.n, ${FOUND_ORDER}`;

const findBatched = createBatchedRead<SubjectLookup, FoundSubject>({
  sql: SQL,
  partitionKeyOf: ({ labels }) => labels[0]?.label ?? '',
  limiterOf: statementLimiter,
});

/**
 * Returns the subjects to which the highest-ranked aliases belong. Aliases rank by kind (identity, former, name), then
 * by place. One result is a match. Several mean that the text is ambiguous; at most `most` are returned. None means
 * unknown. Concurrent lookups share one statement.
 */
export async function findSubjects(
  connection: Connection,
  asked: readonly RankedAlias[],
  most: number,
  { hosts }: PublicUrls,
): Promise<FoundSubject[]> {
  if (asked.length === 0) return [];
  const question = { labels: asked, most, hosts };
  const rows =
    asked.length > MAX_BATCHED_ALIASES
      ? await connection.query<IndexedRow<FoundSubject>>(SQL, [batchJson([question])])
      : await findBatched(connection, question);
  return rows.map(({ n: _n, ...subject }) => subject);
}

/** Current score of a subject. Without a score, all fields are null and the tier is low. */
export interface CurrentScore {
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** ISO 8601 with microseconds. */
  scoreVersion: string | null;
}

/**
 * Loads the current score of a subject; null for an unknown subject. The subject's row has the current version, so one
 * statement reads both.
 */
export async function findCurrentScore(
  connection: Connection,
  subjectId: string,
): Promise<CurrentScore | null> {
  const [score] = await connection.query<CurrentScore>(
    `SELECT v.trust, v.confidence, coalesce(v.tier, 'low') AS tier, utc_text(v.version) AS "scoreVersion"
     FROM subject s LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ?? null;
}

/** A subject that an operator removed from the directory, by itself or together with its repository. */
export interface DelistedSubject {
  id: string;
  type: SubjectType;
  name: string;
  /** Null for artifacts of a delisted repository. */
  agentId: string | null;
  host: string;
  repository: string;
  source: string;
  sourceId: string;
  reason: string;
  /** Day of the delisting, such as `2026-11-22`. */
  day: string;
}

/**
 * Returns the delisted subjects that have the highest-ranked of these aliases. Aliases rank by kind, then by place, as
 * in `findSubjects`.
 */
export function findDelisted(
  connection: Connection,
  asked: readonly RankedAlias[],
): Promise<DelistedSubject[]> {
  return connection.query<DelistedSubject>(
    `SELECT s.id, s.type, s.name, own.agent_id AS "agentId", d.host, d.repository, d.reason,
       to_char(d.delisted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
       coalesce(part.value ->> 'source', d.kept -> 'listing' -> 0 ->> 'source') AS source,
       coalesce(part.value ->> 'registry_row_id', d.kept -> 'listing' -> 0 ->> 'registry_row_id') AS "sourceId"
     FROM (SELECT DISTINCT n.subject_id, n.delisting_id, rank() OVER (
           ORDER BY array_position(ARRAY['identity', 'former', 'name'], n.kind), asked.place) AS rank
         FROM unnest($1::text[], $2::text[], $3::int[]) AS asked (label, type, place)
         JOIN delisted_name n ON n.label = asked.label AND n.subject_type = asked.type) named
     JOIN delisting d ON d.id = named.delisting_id
     JOIN subject s ON s.id = named.subject_id
     LEFT JOIN delisting own ON own.id = d.id AND own.subject_id = s.id
     LEFT JOIN LATERAL jsonb_array_elements(d.kept -> 'artifact') part ON part.value ->> 'subject_id' = s.id::text
     WHERE named.rank = 1 ORDER BY own.id NULLS LAST, s.id`,
    [asked.map(({ label }) => label), asked.map(({ type }) => type), asked.map(({ place }) => place)],
  );
}

/** Returns the subjects into which former subjects were merged, by the former ids in lower case. */
export async function findSuccessors(
  connection: Connection,
  asked: readonly Pick<RankedAlias, 'label' | 'type'>[],
): Promise<{ former: string; id: string; type: SubjectType }[]> {
  if (asked.length === 0) return [];
  return connection.query(
    `SELECT a.label AS former, a.subject_id AS id, a.subject_type AS type
     FROM unnest($1::text[], $2::text[]) AS asked (label, type)
     JOIN subject_alias a ON a.label = asked.label AND a.subject_type = asked.type AND a.kind = 'former'`,
    [asked.map(({ label }) => label), asked.map(({ type }) => type)],
  );
}

/** Finds the listing of a repository by the host's numeric id; null if no listing has it. */
export async function findByHostId(connection: Connection, { host, id }: HostId): Promise<string | null> {
  const [row] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE host = $1 AND host_repository_id = $2',
    [host, id],
  );
  return row?.id ?? null;
}
