import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead, type IndexedRow } from '../../platform/batching/batched-read.ts';
import { statementLimiter } from '../../platform/batching/concurrency-control.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import {
  BEST_SUBJECTS,
  FOUND_ORDER,
  FOUND_SUBJECT,
  type FoundSubject,
  idsByTable,
  LOOKUP_COLUMNS,
  PATH_PARTS,
  publicHandle,
  type RankedAlias,
  type StoredPathParts,
  type SubjectLookup,
  WITHIN_LIMIT,
} from './found-subject.fragment.ts';
import type { PublicUrls } from './public-path.ts';
import type { HostId } from './read-host-id.ts';

/**
 * Maximum aliases of a lookup that is batched with others. A larger lookup, such as for a page of receipts, is sent as
 * a separate statement.
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
 * by `place`, lowest first. One result is a match. Several mean that the text is ambiguous; at most `most` are
 * returned. None means unknown. Concurrent lookups of at most 32 aliases share one statement.
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

/**
 * Runs `findSubjects` for many lookups in one statement, and returns the results in the order of the lookups. 100 texts
 * of any form take one round trip instead of 100.
 */
export async function findSubjectsOfAll(
  connection: Connection,
  lookups: readonly SubjectLookup[],
): Promise<FoundSubject[][]> {
  const found = lookups.map((): FoundSubject[] => []);
  if (lookups.length === 0) return found;
  const rows = await connection.query<IndexedRow<FoundSubject>>(SQL, [batchJson(lookups)]);
  for (const { n, ...subject } of rows) found[n]?.push(subject);
  return found;
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

const DELISTED = `SELECT named.n, s.id, s.type, s.name, own.agent_id AS "agentId", d.host, d.repository, d.reason,
    to_char(d.delisted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
    coalesce(part.value ->> 'source', d.kept -> 'listing' -> 0 ->> 'source') AS source,
    coalesce(part.value ->> 'registry_row_id', d.kept -> 'listing' -> 0 ->> 'registry_row_id') AS "sourceId"
  FROM (SELECT DISTINCT asked.n, d.subject_id, d.delisting_id, rank() OVER (PARTITION BY asked.n
        ORDER BY array_position(ARRAY['identity', 'former', 'name'], d.kind), asked.place) AS rank
      FROM unnest($1::text[], $2::text[], $3::int[], $4::int[]) AS asked (label, type, place, n)
      JOIN delisted_name d ON d.label = asked.label AND d.subject_type = asked.type) named
  JOIN delisting d ON d.id = named.delisting_id
  JOIN subject s ON s.id = named.subject_id
  LEFT JOIN delisting own ON own.id = d.id AND own.subject_id = s.id
  LEFT JOIN LATERAL jsonb_array_elements(d.kept -> 'artifact') part ON part.value ->> 'subject_id' = s.id::text
  WHERE named.rank = 1 ORDER BY named.n, own.id NULLS LAST, s.id`;

/**
 * Returns the delisted subjects that have the highest-ranked of these aliases. Aliases rank by kind, then by `place`,
 * as in `findSubjects`.
 */
export async function findDelisted(
  connection: Connection,
  asked: readonly RankedAlias[],
): Promise<DelistedSubject[]> {
  const [found = []] = await findDelistedOfAll(connection, [asked]);
  return found;
}

/**
 * Runs `findDelisted` for many lists of aliases in one statement, and returns the results in the order of the lists.
 */
export async function findDelistedOfAll(
  connection: Connection,
  lists: readonly (readonly RankedAlias[])[],
): Promise<DelistedSubject[][]> {
  const found = lists.map((): DelistedSubject[] => []);
  const asked = lists.flatMap((aliases, n) => aliases.map((alias) => ({ ...alias, n })));
  if (asked.length === 0) return found;
  const rows = await connection.query<IndexedRow<DelistedSubject>>(DELISTED, [
    asked.map(({ label }) => label),
    asked.map(({ type }) => type),
    asked.map(({ place }) => place),
    asked.map(({ n }) => n),
  ]);
  for (const { n, ...subject } of rows) found[n]?.push(subject);
  return found;
}

/**
 * Returns the subjects into which former subjects were merged. `asked` has the former ids, in lower case, as labels.
 */
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

/** Ids of subjects by the table that has them, and the order of hosts. */
type Asked = ReturnType<typeof idsByTable> & { hosts: readonly string[] };

const readParts = createBatchedRead<Asked, StoredPathParts>({
  sql: `WITH c AS MATERIALIZED (${batchRows('repositories uuid[], creators uuid[], accounts uuid[], hosts text[]')}) ${PATH_PARTS}`,
});

const readHandles = createBatchedRead<
  { ids: readonly string[]; hosts: readonly string[] },
  { id: string; handle: string }
>({
  sql: `SELECT asked.n, c.subject_id AS id, ${publicHandle('c', 'asked.hosts')} AS handle
    FROM (SELECT c.n, c.hosts, subject.id FROM (${batchRows('ids uuid[], hosts text[]')}) AS c
      CROSS JOIN LATERAL unnest(c.ids) AS subject(id)) AS asked JOIN creator c ON c.subject_id = asked.id`,
});

/** Returns the path fields of these subjects in one statement. Unknown subjects and merged creators are left out. */
export async function findPathParts(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  { hosts }: PublicUrls,
): Promise<StoredPathParts[]> {
  if (subjects.length === 0) return [];
  return readParts(connection, { ...idsByTable(subjects), hosts });
}

/**
 * Returns, for each creator, a handle that resolves to exactly this creator. The handle has the host as prefix only if
 * the bare handle may mean another creator.
 */
export function findPublicHandles(
  connection: Connection,
  creatorIds: readonly string[],
  { hosts }: PublicUrls,
): Promise<{ id: string; handle: string }[]> {
  return readHandles(connection, { ids: creatorIds, hosts });
}
