import { batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { holdsBareHandle, holdsBareRepository, publicHandle } from './found-subject.fragment.ts';
import type { PathParts, PublicUrls } from './public-path.ts';

/**
 * Fields of a path except the subject type, which the caller knows. Fields that do not apply to the subject are null.
 */
type StoredParts = Omit<PathParts, 'type'>;

/**
 * Ids of subjects by the table that has them, and the order of hosts. The statement unnests the ids: if it compared
 * columns with an array directly, PostgreSQL would plan it anew each time.
 */
interface Asked {
  /** Ids of listings and artifacts, which the subject type does not distinguish. */
  repositories: readonly string[];
  creators: readonly string[];
  accounts: readonly string[];
  hosts: readonly string[];
}

/** Unnests the ids of one kind from the batch `c`. */
const eachOf = (kind: 'repositories' | 'creators' | 'accounts') =>
  `c CROSS JOIN LATERAL unnest(c.${kind}) AS asked(id)`;

/** Reads each table by its key, in one statement. Outer joins of all tables would take ten times as long. */
const readParts = createBatchedRead<Asked, StoredParts>({
  sql: `WITH c AS MATERIALIZED (${batchRows('repositories uuid[], creators uuid[], accounts uuid[], hosts text[]')})
    SELECT c.n, l.subject_id AS id, l.agent_id AS "agentId", l.host, l.repository, NULL AS "artifactName", NULL AS handle,
      ${holdsBareRepository('l', 'c.hosts')} AS "holdsBareName"
    FROM ${eachOf('repositories')} JOIN listing l ON l.subject_id = asked.id
    UNION ALL SELECT c.n, a.subject_id, NULL, home.host, home.repository, a.name, NULL, ${holdsBareRepository('home', 'c.hosts')}
    FROM ${eachOf('repositories')} JOIN artifact a ON a.subject_id = asked.id JOIN listing home ON home.subject_id = a.listing_id
    UNION ALL SELECT c.n, m.subject_id, NULL, m.host, NULL, NULL, m.handle, ${holdsBareHandle('m', 'c.hosts')}
    FROM ${eachOf('creators')} JOIN creator m ON m.subject_id = asked.id AND m.merged_into IS NULL
    UNION ALL SELECT c.n, p.subject_id, NULL, p.platform, NULL, NULL, p.handle, false
    FROM ${eachOf('accounts')} JOIN platform_account p ON p.subject_id = asked.id`,
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
): Promise<PathParts[]> {
  const types = new Map(subjects.map(({ id, type }) => [id, type]));
  if (types.size === 0) return [];
  const idsOf = (...wanted: SubjectType[]) =>
    [...types].filter(([, type]) => wanted.includes(type)).map(([id]) => id);
  const found = await readParts(connection, {
    repositories: idsOf('agent', 'skill'),
    creators: idsOf('creator'),
    accounts: idsOf('social_account', 'messaging_account'),
    hosts,
  });
  return found.map(({ n: _n, ...parts }) => ({ ...parts, type: types.get(parts.id) as SubjectType }));
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
