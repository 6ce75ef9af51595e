import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';

/** The creator that an account has; null where it never listed or proved anything. */
export async function findCreatorOf(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { accountId };
  const creator = await models.Creator.findOne({ attributes: ['subjectId'], where, transaction });
  return creator?.subjectId ?? null;
}

/** First half of the advisory locks of accounts whose creator is being made. */
const CREATOR_LOCK = 7_310_044;

/** Waits until no other transaction makes the creator of this account, and keeps others from it until this one ends. */
export async function lockCreatorOf(connection: Connection, accountId: string): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [CREATOR_LOCK, accountId]);
}

/** Adds the creator of an account under this handle, without a name that leads to it yet; answers its id. */
export async function insertCreatorOf(
  { models, transaction }: Connection,
  accountId: string,
  handle: string,
): Promise<string> {
  const id = uuidv7();
  await models.Subject.create({ id, type: 'creator', name: handle }, { transaction });
  await models.Creator.create({ subjectId: id, host: DIRECTORY_HOST, handle, accountId }, { transaction });
  return id;
}

/** The handle that an account goes by: its own, or its id where it has none. Null where there is no such account. */
export async function findHandleOf(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { id: accountId };
  const account = await models.Account.findOne({ attributes: ['handle'], where, transaction });
  return account && (account.handle ?? accountId);
}

/** What a creator's listings are found by too: their handle and display name. */
export async function findCreatorNames(
  { models, transaction }: Connection,
  creatorId: string,
): Promise<(string | null)[]> {
  const where = { subjectId: creatorId };
  const creator = await models.Creator.findOne({ attributes: ['handle', 'displayName'], where, transaction });
  return creator ? [creator.handle, creator.displayName] : [];
}
