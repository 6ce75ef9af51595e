import type { Connection } from '../database/connect.ts';
import { holdsBareHandle, holdsBareRepository, publicHandle } from './bare-name.condition.ts';
import type { Naming } from './naming.ts';
import type { PathParts } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** What a path is made of, but for the subject's type, which the one who asks knows. */
type StoredParts = Partial<Omit<PathParts, 'type'>> & { id: string };

const LISTINGS = `SELECT l.subject_id AS id, l.agent_id AS "agentId", l.host, l.repository,
    ${holdsBareRepository('l', '($2::text[])')} AS "holdsBareName"
  FROM listing l WHERE l.subject_id = ANY ($1::uuid[])`;

const ARTIFACTS = `SELECT a.subject_id AS id, a.name AS "artifactName", home.host, home.repository,
    ${holdsBareRepository('home', '($2::text[])')} AS "holdsBareName"
  FROM artifact a JOIN listing home ON home.subject_id = a.listing_id WHERE a.subject_id = ANY ($1::uuid[])`;

const CREATORS = `SELECT c.subject_id AS id, c.host, c.handle, ${holdsBareHandle('c', '($2::text[])')} AS "holdsBareName"
  FROM creator c WHERE c.subject_id = ANY ($1::uuid[]) AND c.merged_into IS NULL`;

const ACCOUNTS = `SELECT p.subject_id AS id, p.platform AS host, p.handle, false AS "holdsBareName"
  FROM platform_account p WHERE p.subject_id = ANY ($1::uuid[])`;

/**
 * What the paths of these subjects are made of; one that is not known, or is another creator by now, is left out. A
 * statement for each table that has any of them: together they take a tenth of what one over all tables takes.
 */
export async function findPathParts(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  { hosts }: Naming,
): Promise<PathParts[]> {
  const types = new Map(subjects.map(({ id, type }) => [id, type]));
  const idsOf = (...wanted: SubjectType[]) =>
    [...types.keys()].filter((id) => wanted.includes(types.get(id) as SubjectType));
  const find = async (
    sql: string,
    ids: readonly string[],
    more: unknown[] = [hosts],
  ): Promise<StoredParts[]> => (ids.length === 0 ? [] : connection.query<StoredParts>(sql, [ids, ...more]));

  const repositories = idsOf('agent', 'skill');
  const listings = await find(LISTINGS, repositories);
  const listed = new Set(listings.map(({ id }) => id));
  const found = [
    ...listings,
    ...(await find(
      ARTIFACTS,
      repositories.filter((id) => !listed.has(id)),
    )),
    ...(await find(CREATORS, idsOf('creator'))),
    ...(await find(ACCOUNTS, idsOf('social_account', 'messaging_account'), [])),
  ];
  return found.map((parts) => ({ ...NOTHING, ...parts, type: types.get(parts.id) as SubjectType }));
}

const NOTHING = {
  agentId: null,
  host: '',
  repository: null,
  artifactName: null,
  handle: null,
  holdsBareName: false,
};

/** The handles that lead to these very creators; whose is bare depends on every other creator of the handle. */
export function findPublicHandles(
  connection: Connection,
  creatorIds: readonly string[],
  { hosts }: Naming,
): Promise<{ id: string; handle: string }[]> {
  return connection.query(
    `SELECT c.subject_id AS id, ${publicHandle('c', '($2::text[])')} AS handle
     FROM creator c WHERE c.subject_id = ANY ($1::uuid[])`,
    [creatorIds, hosts],
  );
}
