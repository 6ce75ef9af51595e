import { batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { idsByTable, PATH_PARTS, publicHandle, type StoredPathParts } from './found-subject.fragment.ts';
import type { PublicUrls } from './public-path.ts';

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
 * Returns handles that resolve to exactly these creators. A handle is bare unless a creator on an earlier host has the
 * same one.
 */
export function findPublicHandles(
  connection: Connection,
  creatorIds: readonly string[],
  { hosts }: PublicUrls,
): Promise<{ id: string; handle: string }[]> {
  return readHandles(connection, { ids: creatorIds, hosts });
}
