import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../database/connect.ts';
import { ALL, NOW, sameName } from '../database/models/expressions.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';

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

const BEARER = [
  ['subject_id', 'id'] as [string, string],
  'host',
  'handle',
  'accountId',
  'mergedInto',
  'hostAccountId',
];

/** The creator under this handle, or null. */
export function findBearer(
  { models, transaction }: Connection,
  { host, handle }: Owner,
): Promise<Bearer | null> {
  const where = { [ALL]: [{ host }, sameName('handle', handle)] };
  return models.Creator.findOne<Bearer>({ attributes: BEARER, where, raw: true, transaction });
}

/** The creator under this handle; made, without a name that leads to it yet, where the registry has none. */
export async function ensureBearer(connection: Connection, { host, handle }: Owner): Promise<Bearer> {
  const known = await findBearer(connection, { host, handle });
  if (known) return known;
  const { models, transaction } = connection;
  const id = uuidv7();
  await models.Subject.create({ id, type: 'creator', name: handle }, { transaction });
  await models.Creator.create({ subjectId: id, host, handle }, { transaction });
  return { id, host, handle, accountId: null, mergedInto: null, hostAccountId: null };
}

/** The creator that stands for the account with this id of the host, that under the given handle first; or null. */
export async function findOwnersCreator(
  connection: Connection,
  { host, handle, hostAccountId }: Owner & { hostAccountId: string },
): Promise<Bearer | null> {
  // SQL: orders by a comparison of names.
  const [creator] = await connection.query<Bearer>(
    `SELECT subject_id AS id, host, handle, account_id AS "accountId", merged_into AS "mergedInto",
       host_account_id AS "hostAccountId" FROM creator WHERE host = $1 AND host_account_id = $3
     ORDER BY lower(handle) = lower($2) DESC, created_at LIMIT 1`,
    [host, handle, hostAccountId],
  );
  return creator ?? null;
}

/** The creator of the account here that has proved the account with this id of the host, by a proof that counts; or null. */
export async function findProversCreator(
  connection: Connection,
  { host, hostAccountId }: { host: string; hostAccountId: string },
): Promise<string | null> {
  // SQL: `proved_account` is a view.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM proved_account p JOIN creator c ON c.account_id = p.account_id
     WHERE p.kind = 'repo_host' AND p.host = $1 AND p.host_account_id = $2`,
    [host, hostAccountId],
  );
  return creator?.id ?? null;
}

/** The creator that an account has, or null. */
export async function findAccountCreator(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { accountId };
  const creator = await models.Creator.findOne({ attributes: ['subjectId'], where, transaction });
  return creator?.subjectId ?? null;
}

/** These creators, their listings and the children of those, of one moment, to be locked in one order. */
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
  { models, transaction }: Connection,
  creatorId: string,
  accountId: string | null,
  hostAccountId: string | null,
): Promise<void> {
  const given = {
    ...(accountId !== null && { accountId }),
    ...(hostAccountId !== null && { hostAccountId }),
  };
  await models.Creator.update({ ...given, updatedAt: NOW }, { where: { subjectId: creatorId }, transaction });
}

/** Takes the creator from its account, or from the creator that it was merged into. */
export async function releaseCreator({ models, transaction }: Connection, creatorId: string): Promise<void> {
  const nobodys = { accountId: null, mergedInto: null, verified: false };
  await models.Creator.update(nobodys, { where: { subjectId: creatorId }, transaction });
}

/** Makes one creator a name of another. */
export async function mergeCreators(
  { models, transaction }: Connection,
  from: string,
  into: string,
): Promise<void> {
  const merged = { mergedInto: into, verified: false, updatedAt: NOW };
  await models.Creator.update(merged, { where: { subjectId: from }, transaction });
}

/** The creators that were merged into this one. */
export async function mergedInto({ models, transaction }: Connection, creatorId: string): Promise<string[]> {
  const creators = await models.Creator.findAll({
    attributes: ['subjectId'],
    where: { mergedInto: creatorId },
    order: ['subjectId'],
    transaction,
  });
  return creators.map(({ subjectId }) => subjectId);
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

// Whose a repository is stands in its name: that is SQL's to take apart, and to compare whatever the case.
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

/**
 * Makes listings a creator's; the one they had stays in their history. What the former one acknowledged of others' work
 * is withdrawn: it was not the new one who did. The caller has locked their subjects and their children's. Lists go as arrays: one kept statement, whatever their length.
 */
export async function moveListings(
  connection: Connection,
  listingIds: readonly string[],
  creatorId: string,
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(
    // A mark that was set by name alone does not go along.
    `UPDATE listing SET creator_id = $2, verified = verified AND host_owner_id IS NOT NULL, updated_at = ledger_now()
     WHERE subject_id = ANY ($1::uuid[])`,
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
