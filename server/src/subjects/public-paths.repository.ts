import { batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { readTogether } from '../database/read-together.ts';
import { holdsBareHandle, holdsBareRepository, publicHandle } from './bare-name.condition.ts';
import type { Naming } from './naming.ts';
import type { PathParts } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** What a path is made of, but for the subject's type, which the one who asks knows. */
type StoredParts = Partial<Omit<PathParts, 'type'>> & { id: string };

/** Ids of one table's subjects. An array that is compared at once would be planned anew each time. */
interface Asked {
  ids: readonly string[];
  hosts: readonly string[];
}

/** `asked.id` is the subject, `asked.hosts` are the naming's. */
const ASKED = `(SELECT c.n, c.hosts, subject.id FROM (${batchRows('ids uuid[], hosts text[]')}) AS c
    CROSS JOIN LATERAL unnest(c.ids) AS subject(id)) AS asked`;

const readListings = readTogether<Asked, StoredParts>({
  sql: `SELECT asked.n, l.subject_id AS id, l.agent_id AS "agentId", l.host, l.repository,
      ${holdsBareRepository('l', 'asked.hosts')} AS "holdsBareName"
    FROM ${ASKED} JOIN listing l ON l.subject_id = asked.id`,
});

const readArtifacts = readTogether<Asked, StoredParts>({
  sql: `SELECT asked.n, a.subject_id AS id, a.name AS "artifactName", home.host, home.repository,
      ${holdsBareRepository('home', 'asked.hosts')} AS "holdsBareName"
    FROM ${ASKED} JOIN artifact a ON a.subject_id = asked.id JOIN listing home ON home.subject_id = a.listing_id`,
});

const readCreators = readTogether<Asked, StoredParts>({
  sql: `SELECT asked.n, c.subject_id AS id, c.host, c.handle, ${holdsBareHandle('c', 'asked.hosts')} AS "holdsBareName"
    FROM ${ASKED} JOIN creator c ON c.subject_id = asked.id AND c.merged_into IS NULL`,
});

const readAccounts = readTogether<Asked, StoredParts>({
  sql: `SELECT asked.n, p.subject_id AS id, p.platform AS host, p.handle, false AS "holdsBareName"
    FROM ${ASKED} JOIN platform_account p ON p.subject_id = asked.id`,
});

const readHandles = readTogether<Asked, { id: string; handle: string }>({
  sql: `SELECT asked.n, c.subject_id AS id, ${publicHandle('c', 'asked.hosts')} AS handle
    FROM ${ASKED} JOIN creator c ON c.subject_id = asked.id`,
});

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
  const find = async (read: typeof readListings, ids: readonly string[]) =>
    ids.length === 0 ? [] : read(connection, { ids, hosts });

  const repositories = idsOf('agent', 'skill');
  const listings = await find(readListings, repositories);
  const listed = new Set(listings.map(({ id }) => id));
  const found = [
    ...listings,
    ...(await find(
      readArtifacts,
      repositories.filter((id) => !listed.has(id)),
    )),
    ...(await find(readCreators, idsOf('creator'))),
    ...(await find(readAccounts, idsOf('social_account', 'messaging_account'))),
  ];
  return found.map(({ n: _n, ...parts }) => ({
    ...NOTHING,
    ...parts,
    type: types.get(parts.id) as SubjectType,
  }));
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
  return readHandles(connection, { ids: creatorIds, hosts });
}
