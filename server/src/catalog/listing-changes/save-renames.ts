import type { Connection } from '../../platform/database/connect.ts';
import {
  artifactsInside,
  packageClaimants,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import type { StatedRename } from '../listings/listing-row.ts';
import { lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import { updateParents } from '../relations/lineage-edges.ts';
import { repositoryAlias } from '../subjects/stored-aliases.ts';
import { passOnIds } from '../subjects/subject-alias.queries.ts';

/**
 * Result of merging. `due` and `dueByLineage` are subjects to score again, as in `SavedBatch`; `dueByLineage` also has
 * the creators of the two listings. `gone` are subjects that were merged into others or dropped.
 */
export interface MergedListings {
  due: string[];
  dueByLineage: string[];
  gone: string[];
}

/**
 * Builds SQL that is true if two names may be of one repository: their creation days are equal or, if one of the days
 * is unknown, their owners are equal. If the owners differ and a day is unknown, a source's statement alone must not
 * give the listing of one owner to the other.
 */
const mayBeOne = (one: { name: string; createdAt: string }, other: typeof one) =>
  `coalesce(date_trunc('day', ${one.createdAt}, 'UTC') = date_trunc('day', ${other.createdAt}, 'UTC'),
    lower(split_part(${one.name}, '/', 1)) = lower(split_part(${other.name}, '/', 1)))`;

const listed = (table: string) => ({
  name: `${table}.repository`,
  createdAt: `${table}.repository_created_at`,
});

/** SQL that is false if an account registered listing `l` but has not proved the owner of its repository. */
const IS_NO_CLAIM = '(l.registered_by IS NULL OR l.verified)';

/**
 * SQL that is true if listing `old`, whose name is a former name of listing `l`, may be the same repository. Different
 * host ids or creation days show that another repository has taken the name. Listing `old` is never merged if an
 * account has registered or owns it, because a source must not decide about it.
 */
const MAY_BE_SAME = `old.type = l.type AND lower(old.host) = lower(l.host) AND old.subject_id <> l.subject_id
  AND (old.host_repository_id IS NULL OR l.host_repository_id IS NULL)
  AND ${mayBeOne(listed('old'), listed('l'))}
  AND old.registered_by IS NULL AND NOT old.verified AND ${IS_NO_CLAIM}
  AND strpos(old.repository, '~') = 0 AND strpos(l.repository, '~') = 0`;

const FIND_SAME = `SELECT DISTINCT ON (old.subject_id) old.subject_id AS former, l.subject_id AS id, old.repository,
    old.creator_id AS "formerCreator", l.creator_id AS "creatorId",
    array_remove(ARRAY[old.npm_package], NULL) AS npm, array_remove(ARRAY[old.pypi_package], NULL) AS pypi,
    ARRAY(SELECT c.subject_id FROM listing c WHERE c.parent_id = old.subject_id ORDER BY 1) AS children
  FROM unnest($1::text[], $2::uuid[]) AS r(name, id) JOIN listing l ON l.subject_id = r.id
  JOIN listing old ON lower(old.repository) = lower(r.name) AND ${MAY_BE_SAME} ORDER BY old.subject_id, l.subject_id`;

interface SameRepository {
  former: string;
  id: string;
  repository: string;
  formerCreator: string;
  creatorId: string;
  npm: string[];
  pypi: string[];
  children: string[];
}

/**
 * Merges two listings of one repository if a source states that the name of one is a former name of the other. The
 * listing with the new name stays. It receives the artifacts and relations of the former listing, whose UUID, `AGT-` id
 * and names then resolve to it. Scores and receipts of the former listing stay stored. The caller has called
 * lockRegistry.
 */
export async function mergeRenamed(
  connection: Connection,
  renames: readonly StatedRename[],
): Promise<MergedListings> {
  if (renames.length === 0) return { due: [], dueByLineage: [], gone: [] };
  const found = await connection.query<SameRepository>(FIND_SAME, [
    renames.map(({ formerName }) => formerName),
    renames.map(({ id }) => id),
  ]);
  const successors = new Map<string, string>();
  const parts: MergedListings[] = [];
  for (const pair of found) {
    // An earlier pair of this loop may have merged the listing with the new name into one with a still newer name.
    const id = successors.get(pair.id) ?? pair.id;
    if (id === pair.former) continue;
    parts.push(await mergePair(connection, { ...pair, id }));
    for (const [earlier, target] of successors) if (target === pair.former) successors.set(earlier, id);
    successors.set(pair.former, id);
  }
  const gone = parts.flatMap((part) => part.gone);
  const remaining = (ids: readonly string[]) => ids.filter((id) => !gone.includes(id));
  return {
    due: remaining(parts.flatMap(({ due }) => due)),
    dueByLineage: remaining(parts.flatMap(({ dueByLineage }) => dueByLineage)),
    gone,
  };
}

const FIND_PAIR = `SELECT old.subject_id AS former, l.subject_id AS id, old.repository,
    old.creator_id AS "formerCreator", l.creator_id AS "creatorId",
    array_remove(ARRAY[old.npm_package], NULL) AS npm, array_remove(ARRAY[old.pypi_package], NULL) AS pypi,
    ARRAY(SELECT c.subject_id FROM listing c WHERE c.parent_id = old.subject_id ORDER BY 1) AS children
  FROM listing old JOIN listing l ON l.subject_id = $2 AND l.type = old.type AND l.host = old.host
  WHERE old.subject_id = $1 AND old.registered_by IS NULL AND NOT old.verified AND ${IS_NO_CLAIM}`;

/**
 * Merges two listings that are one repository by the host's id. `former` is merged into `id`, as by `mergeRenamed`.
 * Returns null and merges nothing if an account has registered or owns `former`, or has registered `id` without proving
 * its owner. The caller has called lockRegistry.
 */
export async function mergeSameRepository(
  connection: Connection,
  former: string,
  id: string,
): Promise<MergedListings | null> {
  const [pair] = await connection.query<SameRepository>(FIND_PAIR, [former, id]);
  return pair === undefined ? null : mergePair(connection, pair);
}

async function mergePair(connection: Connection, pair: SameRepository): Promise<MergedListings> {
  const { former, id, repository, children } = pair;
  const inside = await artifactsInside(connection, [former, id]);
  await lockSubjects(connection, [...new Set([former, id, ...inside, ...children])]);
  const absorbed = await moveArtifacts(connection, pair);
  for (const sql of MOVE_RELATIONS) await connection.query(sql, [former, id]);
  const { changed } = await updateParents(connection, [id, former, ...children]);
  await connection.query(KEEP_CREATOR, [former, id]);
  await passOnIds(connection, [{ former, id }]);
  for (const sql of DELETE_LISTING) await connection.query(sql, [former]);
  await refreshListingAliases(connection, [id], new Map([[id, [repository]]]));
  const claimants = await packageClaimants(connection, pair);
  await refreshListingAliases(connection, claimants.listings);
  const parts = await artifactsInside(connection, [id]);
  await refreshArtifactAliases(connection, [...new Set([...parts, ...claimants.artifacts])]);
  await refreshSearch(connection, [id]);
  return {
    due: [id, ...parts],
    dueByLineage: [...changed, pair.formerCreator, pair.creatorId],
    gone: [former, ...absorbed],
  };
}

/** Pairs artifacts of the same type in the two listings that have the same name or the same path. */
const SAME_ARTIFACTS = `SELECT DISTINCT ON (a.subject_id) a.subject_id AS former, b.subject_id AS id
  FROM artifact a JOIN artifact b ON b.listing_id = $2 AND b.type = a.type AND (b.name = a.name OR lower(b.path) = lower(a.path))
  WHERE a.listing_id = $1 ORDER BY a.subject_id, b.subject_id`;

/**
 * Selects artifacts of the former listing, after those of `SAME_ARTIFACTS` were deleted, whose name is in use in the
 * other listing: by an artifact of another type, or as another name of any artifact.
 */
const TAKEN_NAMES = `SELECT a.subject_id AS id FROM artifact a WHERE a.listing_id = $1 AND EXISTS (
    SELECT FROM artifact b WHERE b.listing_id = $2 AND b.name = a.name
    UNION ALL SELECT FROM artifact_other_name b WHERE b.listing_id = $2 AND b.name = a.name)`;

/**
 * Moves the artifacts of the former listing to the other one. Returns the artifacts that were merged into others, or
 * dropped because the other listing already uses their name.
 */
async function moveArtifacts(connection: Connection, { former, id }: SameRepository): Promise<string[]> {
  const pairs = await connection.query<{ former: string; id: string }>(SAME_ARTIFACTS, [former, id]);
  await passOnIds(connection, pairs);
  const absorbed = pairs.map((pair) => pair.former);
  for (const sql of DELETE_ARTIFACTS) await connection.query(sql, [absorbed]);
  const taken = await connection.query<{ id: string }>(TAKEN_NAMES, [former, id]);
  const dropped = taken.map((each) => each.id);
  await connection.query('DELETE FROM subject_alias WHERE subject_id = ANY ($1::uuid[])', [dropped]);
  for (const sql of DELETE_ARTIFACTS) await connection.query(sql, [dropped]);
  for (const sql of MOVE_ARTIFACTS) await connection.query(sql, [former, id]);
  return [...absorbed, ...dropped];
}

const DELETE_ARTIFACTS = [
  'DELETE FROM score_due WHERE subject_id = ANY ($1::uuid[])',
  'DELETE FROM artifact WHERE subject_id = ANY ($1::uuid[])',
];

const MOVE_ARTIFACTS = [
  `DELETE FROM artifact_other_name n WHERE n.listing_id = $1 AND EXISTS (
     SELECT FROM artifact b WHERE b.listing_id = $2 AND b.name = n.name
     UNION ALL SELECT FROM artifact_other_name b WHERE b.listing_id = $2 AND b.name = n.name)`,
  'UPDATE artifact_other_name SET listing_id = $2 WHERE listing_id = $1',
  'UPDATE artifact SET listing_id = $2, updated_at = ledger_now() WHERE listing_id = $1',
];

/** Deletes relations between the two listings, which have become meaningless (except renames), and moves the others. */
const MOVE_RELATIONS = [
  `DELETE FROM relation WHERE from_listing_id IN ($1, $2) AND to_listing_id IN ($1, $2)
     AND type NOT IN ('renamed_to', 'probable_rename_to')`,
  'UPDATE relation SET from_listing_id = $2 WHERE from_listing_id = $1',
  'UPDATE relation SET to_listing_id = $2 WHERE to_listing_id = $1',
];

const KEEP_CREATOR = `INSERT INTO listing_creator_history (listing_id, creator_id)
  SELECT l.subject_id, old.creator_id FROM listing old JOIN listing l ON l.subject_id = $2
  WHERE old.subject_id = $1 AND old.creator_id <> l.creator_id`;

const DELETE_LISTING = [
  'DELETE FROM score_due WHERE subject_id = $1',
  'DELETE FROM listing_creator_history WHERE listing_id = $1',
  'DELETE FROM listing WHERE subject_id = $1',
];

/**
 * Returns the stated new names of the repositories in these rows, by the position of the row. A row has a new name if
 * its repository is listed under another name that a source states as the new one. A different host id or creation day
 * shows that the row is about another repository.
 */
export async function findStatedNewNames(
  connection: Connection,
  rows: readonly RenamedRow[],
): Promise<Map<number, string>> {
  const labels = rows.map(({ host, repository }) => repositoryAlias(host, repository));
  const former = await connection.query<{ label: string }>(FIND_FORMER, [labels]);
  if (former.length === 0) return new Map();
  const known = new Set(former.map(({ label }) => label));
  const asked = rows.flatMap((row, position) => {
    const label = labels[position] ?? '';
    const { type, repository, hostRepositoryId, repositoryCreatedAt } = row;
    return known.has(label)
      ? [{ position, label, type, repository, hostRepositoryId, repositoryCreatedAt }]
      : [];
  });
  const found = await connection.query<{ position: number; repository: string }>(FIND_NEW_NAMES, [
    JSON.stringify(asked),
  ]);
  return new Map(found.map(({ position, repository }) => [position, repository]));
}

interface RenamedRow {
  type: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  repositoryCreatedAt: string | null;
}

/** Selects those of the names that are former names. Few rows have one, so `FIND_NEW_NAMES` is rarely sent. */
const FIND_FORMER = "SELECT label FROM subject_alias WHERE label = ANY ($1::text[]) AND kind = 'former'";

const FIND_NEW_NAMES = `SELECT r.position, l.repository
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, label text, type text, repository text, "hostRepositoryId" text,
    "repositoryCreatedAt" timestamptz)
  JOIN subject_alias f ON f.label = r.label AND f.subject_type = r.type AND f.kind = 'former'
  JOIN listing l ON l.subject_id = f.subject_id AND strpos(l.repository, '~') = 0
  WHERE (r."hostRepositoryId" IS NULL OR l.host_repository_id IS NULL OR r."hostRepositoryId" = l.host_repository_id)
    AND ${IS_NO_CLAIM}
    AND ${mayBeOne({ name: 'r.repository', createdAt: 'r."repositoryCreatedAt"' }, listed('l'))}
    AND (EXISTS (SELECT FROM relation t WHERE t.to_listing_id = l.subject_id AND t.type = 'renamed_to' AND t.stated
        AND t.directed AND t.from_path IS NULL AND lower(t.from_repository) = lower(r.repository))
      OR EXISTS (SELECT FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(l.imported -> 'formerRepositories') = 'array'
        THEN l.imported -> 'formerRepositories' END) AS stated(name) WHERE lower(stated.name) = lower(r.repository)))`;
