import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';

/** A repository owner as the registry has it. */
export interface Bearer {
  id: string;
  host: string;
  handle: string;
  accountId: string | null;
  mergedInto: string | null;
  hostAccountId: string | null;
}

/** An account on a repository host. */
interface Owner {
  host: string;
  handle: string;
}

const BEARER = `SELECT subject_id AS id, host, handle, account_id AS "accountId", merged_into AS "mergedInto",
  host_account_id AS "hostAccountId" FROM creator WHERE host = $1 AND lower(handle) = lower($2)`;

/** The creator under this handle, or null. */
export async function findBearer(connection: Connection, { host, handle }: Owner): Promise<Bearer | null> {
  const [known] = await connection.query<Bearer>(BEARER, [host, handle]);
  return known ?? null;
}

/** The creator under this handle; made, without a name that leads to it yet, where the registry has none. */
export async function ensureBearer(connection: Connection, { host, handle }: Owner): Promise<Bearer> {
  const known = await findBearer(connection, { host, handle });
  if (known) return known;
  const id = uuidv7();
  await connection.query("INSERT INTO subject (id, type, name) VALUES ($1, 'creator', $2)", [id, handle]);
  await connection.query('INSERT INTO creator (subject_id, host, handle) VALUES ($1, $2, $3)', [
    id,
    host,
    handle,
  ]);
  return { id, host, handle, accountId: null, mergedInto: null, hostAccountId: null };
}

/** The creator that an account has, or null. */
export async function findAccountCreator(connection: Connection, accountId: string): Promise<string | null> {
  const [creator] = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM creator WHERE account_id = $1',
    [accountId],
  );
  return creator?.id ?? null;
}

/** These creators, their listings and the children of those, to be locked in one order. */
export async function subjectsConcerned(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH own AS (SELECT subject_id AS id FROM listing WHERE creator_id = ANY ($1::uuid[]))
     SELECT unnest($1::uuid[]) AS id UNION SELECT id FROM own
     UNION SELECT l.subject_id FROM listing l JOIN own ON l.parent_id = own.id`,
    [creatorIds],
  );
  return rows.map(({ id }) => id);
}

/** Notes whose the creator is and the host's id of its account; null leaves either as it is. */
export async function giveToAccount(
  connection: Connection,
  creatorId: string,
  accountId: string | null,
  hostAccountId: string | null,
): Promise<void> {
  await connection.query(
    `UPDATE creator SET account_id = coalesce($2, account_id), host_account_id = coalesce($3, host_account_id),
       updated_at = ledger_now() WHERE subject_id = $1`,
    [creatorId, accountId, hostAccountId],
  );
}

/** Takes the creator from its account, or from the creator that it was merged into. */
export async function releaseCreator(connection: Connection, creatorId: string): Promise<void> {
  await connection.query(
    'UPDATE creator SET account_id = NULL, merged_into = NULL, verified = false WHERE subject_id = $1',
    [creatorId],
  );
}

/** Makes one creator a name of another. */
export async function mergeCreators(connection: Connection, from: string, into: string): Promise<void> {
  await connection.query(
    'UPDATE creator SET merged_into = $2, verified = false, updated_at = ledger_now() WHERE subject_id = $1',
    [from, into],
  );
}

/** The creators that were merged into this one. */
export async function mergedInto(connection: Connection, creatorId: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM creator WHERE merged_into = $1 ORDER BY 1',
    [creatorId],
  );
  return rows.map(({ id }) => id);
}

/**
 * The handle has passed on. A creator of an account here goes on under that account's handle; another one is kept under
 * the handle with the host's id of its account, which no host allows as a handle.
 */
export async function takeName(connection: Connection, { id, accountId }: Bearer): Promise<void> {
  await connection.query(
    accountId === null
      ? "UPDATE creator SET handle = handle || '~' || host_account_id WHERE subject_id = $1"
      : `UPDATE creator c SET host = '${DIRECTORY_HOST}', handle = coalesce(a.handle, a.id::text), host_account_id = NULL FROM account a
         WHERE c.subject_id = $1 AND a.id = c.account_id`,
    [id],
  );
}

const IS_OWNERS = "host = $2 AND lower(split_part(repository, '/', 1)) = lower($3)";

/** Listings of a creator: those whose repository this owner has, or all of them (null). */
export async function listingsOfOwner(
  connection: Connection,
  creatorId: string,
  owner: Owner | null,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing WHERE creator_id = $1 ${owner ? `AND ${IS_OWNERS}` : ''} ORDER BY 1`,
    owner ? [creatorId, owner.host, owner.handle] : [creatorId],
  );
  return rows.map(({ id }) => id);
}

/** Listings of a creator whose repositories this owner does not have. */
export async function otherListings(
  connection: Connection,
  creatorId: string,
  owner: Owner,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing WHERE creator_id = $1 AND NOT (${IS_OWNERS}) ORDER BY 1`,
    [creatorId, owner.host, owner.handle],
  );
  return rows.map(({ id }) => id);
}

/**
 * Makes listings a creator's; the one they had stays in their history. What the former one acknowledged of others' work
 * is withdrawn: it was not the new one who did. The caller has locked their subjects and their children's.
 */
export async function moveListings(
  connection: Connection,
  listingIds: readonly string[],
  creatorId: string,
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(
    'UPDATE listing SET creator_id = $2, updated_at = ledger_now() WHERE subject_id = ANY ($1::uuid[])',
    [listingIds, creatorId],
  );
  await withdrawAcknowledgements(connection, listingIds);
}

/** Withdraws what was acknowledged of others' work on these listings. The caller has locked the children's subjects. */
export async function withdrawAcknowledgements(
  connection: Connection,
  listingIds: readonly string[],
): Promise<void> {
  await connection.query(
    `UPDATE listing SET parent_acknowledged_at = NULL
     WHERE parent_id = ANY ($1::uuid[]) AND parent_acknowledged_at IS NOT NULL`,
    [listingIds],
  );
}
