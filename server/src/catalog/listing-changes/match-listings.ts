import { randomInt } from 'node:crypto';
import type { Connection } from '../../platform/database/connect.ts';
import { findDelistings } from '../listings/listing.queries.ts';
import type { ListingRow, RejectCode, Rejection, StoredListing } from '../listings/listing-row.ts';
import { findStatedNewNames } from './save-renames.ts';

// Builds SQL for a stored listing as JSON; `table` is the alias of the listing in the statement.
const COLUMNS = (table: string) => `json_build_object('id', ${table}.subject_id, 'type', ${table}.type,
  'host', ${table}.host, 'repository', ${table}.repository, 'hostRepositoryId', ${table}.host_repository_id,
  'creatorId', ${table}.creator_id, 'creatorKey',
  (SELECT c.host || ':' || lower(c.handle) FROM creator c WHERE c.subject_id = ${table}.creator_id), 'npmPackage', ${table}.npm_package, 'pypiPackage', ${table}.pypi_package)`;

/** Matches a whole batch by the host's repository id and by name, in one statement. */
const MATCH = `
SELECT CASE WHEN i.subject_id IS NOT NULL THEN ${COLUMNS('i')} END AS "byId",
  CASE WHEN n.subject_id IS NOT NULL THEN ${COLUMNS('n')} END AS "byName"
FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, repository text, host_repository_id text)
LEFT JOIN listing i ON i.host = r.host AND i.host_repository_id = r.host_repository_id
LEFT JOIN listing n ON lower(n.host) = lower(r.host) AND lower(n.repository) = lower(r.repository)
ORDER BY r.position`;

/**
 * Compares the stored imported rows of listings with the rows of the batch. Returns a stored row only if it differs, so
 * that less data is transferred. A container that an earlier import described by one of its parts counts as changed, so
 * that it is stored again.
 */
const COMPARE = `
SELECT r.position, CASE WHEN l.imported IS DISTINCT FROM r.imported THEN l.imported END AS imported,
  l.imported IS NOT DISTINCT FROM r.imported AND NOT (r.undescribed AND l.registered_by IS NULL
    AND l.description <> '' AND l.description = l.imported ->> 'description') AS unchanged
FROM jsonb_to_recordset($1::jsonb) AS r(position int, id uuid, imported jsonb, undescribed boolean)
JOIN listing l ON l.subject_id = r.id`;

/** Selects those of the randomly drawn ids that are in use. Ids of delisted listings and former ids count as in use. */
const TAKEN_IDS = `SELECT agent_id AS id FROM listing WHERE agent_id = ANY ($1::text[])
    UNION SELECT agent_id FROM delisting WHERE agent_id = ANY ($1::text[])
    UNION SELECT upper(label) FROM subject_alias WHERE label = ANY ($2::text[])`;

// Crockford's alphabet: without I, L, O and U, which are misread or could form words.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const LENGTH = 8;

/**
 * Draws `count` unused `AGT-` ids. If another transaction draws the same id at the same time, the unique column rejects
 * one.
 */
export async function drawAgentIds(
  connection: Connection,
  count: number,
  draw = drawAgentId,
): Promise<string[]> {
  const ids = new Set<string>();
  while (ids.size < count) {
    const drawn = new Set<string>();
    while (ids.size + drawn.size < count) {
      const id = draw();
      if (!ids.has(id)) drawn.add(id);
    }
    const asked = [...drawn];
    const lower = asked.map((id) => id.toLowerCase());
    const taken = await connection.query<{ id: string }>(TAKEN_IDS, [asked, lower]);
    for (const { id } of taken) drawn.delete(id);
    for (const id of drawn) ids.add(id);
  }
  return [...ids];
}

function drawAgentId(): string {
  let id = 'AGT-';
  for (let place = 0; place < LENGTH; place += 1) id += ALPHABET[randomInt(ALPHABET.length)];
  return id;
}

/** Decision for one row of a batch. */
export type Decision =
  | { readonly step: 'add'; readonly row: ListingRow; readonly displaced: StoredListing | null }
  | {
      readonly step: 'update';
      readonly row: ListingRow;
      readonly stored: StoredListing;
      readonly displaced: StoredListing | null;
    }
  | { readonly step: 'keep' }
  | ({ readonly step: 'reject' } & Rejection);

interface Match {
  byId: StoredListing | null;
  byName: StoredListing | null;
}

/** Result of comparing a new row of a listing with the last row that was stored for this listing. */
type Comparison = Pick<StoredListing, 'imported' | 'unchanged'>;

/**
 * Matches every row with stored listings by repository id and by name, and decides for each whether to add, update,
 * keep or reject it. Also rejects repositories that the operator removed, that are listed under a new name, or that an
 * earlier row of the batch updates. Writes nothing and takes no locks.
 */
export async function decideListings(
  connection: Connection,
  rows: readonly ListingRow[],
): Promise<Decision[]> {
  const matches = await matchListings(connection, rows);
  const matchedIds = new Set<string>();
  const decided = rows.map((row, position) => decide(row, matches[position] ?? { byId: null, byName: null }));
  const added = decided.flatMap((decision, position) => (decision.step === 'add' ? [position] : []));
  const addedRows = added.flatMap((position) => rows[position] ?? []);
  const delisted = await findDelistings(connection, addedRows);
  const renamed =
    added.length === 0 ? new Map<number, string>() : await findStatedNewNames(connection, addedRows);
  return decided.map((decision, position) => {
    const newName = renamed.get(added.indexOf(position));
    if (newName !== undefined) return reject(`its repository was renamed to ${newName}, which is listed`);
    const kept = delisted.get(added.indexOf(position));
    if (kept) return reject(`the operator removed it from the directory (${kept.reason})`, 'delisted');
    if (decision.step !== 'update') return decision;
    if (matchedIds.has(decision.stored.id)) return reject('another line is about the same repository');
    matchedIds.add(decision.stored.id);
    return decision;
  });
}

async function matchListings(connection: Connection, rows: readonly ListingRow[]): Promise<Match[]> {
  const asked = rows.map(({ host, repository, hostRepositoryId }, position) => ({
    position,
    host,
    repository,
    host_repository_id: hostRepositoryId,
  }));
  const matches = await connection.query<Match>(MATCH, [JSON.stringify(asked)]);
  const known = matches.flatMap(({ byId, byName }, position) => {
    const stored = byId ?? byName;
    const { imported = null, description = '' } = rows[position] ?? {};
    return stored === null ? [] : [{ position, stored, imported, undescribed: description === '' }];
  });
  if (known.length === 0) return matches;
  const compared = await connection.query<Comparison & { position: number }>(COMPARE, [
    JSON.stringify(known.map(({ stored, ...asked }) => ({ ...asked, id: stored.id }))),
  ]);
  for (const { position, ...comparison } of compared) {
    const { byId, byName } = matches[position] as Match;
    Object.assign(byId ?? byName ?? {}, comparison);
  }
  return matches;
}

/**
 * Compares the row's repository id with the stored ones.
 * - Same id, new name: the repository was renamed.
 * - Same name, different id: a different repository now has the name. It is added, and the old listing gets a
 *   placeholder name.
 * - No id in the row, or none in the listing with its name: the name decides.
 * - The id belongs to one listing, and the name to another one without an id: the row is rejected.
 * - Another type: the row is rejected, because a listing's type never changes.
 */
export function decide(row: ListingRow, { byId, byName }: Match): Decision {
  const isOther = byName !== null && byName.id !== byId?.id;
  const knowsBoth = row.hostRepositoryId !== null && (byName?.hostRepositoryId ?? null) !== null;
  if (byId !== null && isOther && !knowsBoth) {
    return reject('its repository id is that of another listing, and its name is listed already');
  }
  const stored = byId ?? (isOther && knowsBoth ? null : byName);
  const displaced = isOther && knowsBoth ? byName : null;
  if (stored === null) return { step: 'add', row, displaced };
  if (stored.type !== row.type)
    return reject(`it is listed as ${stored.type}, and a subject's type never changes`);
  return stored.unchanged && displaced === null
    ? { step: 'keep' }
    : { step: 'update', row, stored, displaced };
}

/** Returns true for the placeholder name of a displaced listing. No host allows `~` in a repository name. */
export function isPlaceholder(repository: string): boolean {
  return repository.includes('~', repository.indexOf('/'));
}

function reject(reason: string, code: RejectCode = 'conflict'): Decision {
  return { step: 'reject', code, reason };
}
