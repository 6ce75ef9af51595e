import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { DIRECTORY_HOST } from '../subjects/public-path.ts';

/** Returns an account's creator. Null if the account has never listed or proved anything. */
export async function findCreatorOf(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { accountId };
  const creator = await models.Creator.findOne({ attributes: ['subjectId'], where, transaction });
  return creator?.subjectId ?? null;
}

/**
 * Inserts the creator of an account under this handle, and returns its id. Stores no aliases, so that no name
 * resolves to it yet.
 */
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

/** Returns an account's handle, or its id if it has none. Null if the account does not exist. */
export async function findHandleOf(
  { models, transaction }: Connection,
  accountId: string,
): Promise<string | null> {
  const where = { id: accountId };
  const account = await models.Account.findOne({ attributes: ['handle'], where, transaction });
  return account && (account.handle ?? accountId);
}

/** Returns a creator's handle and display name, which are also search words of its listings. */
export async function findCreatorNames(
  { models, transaction }: Connection,
  creatorId: string,
): Promise<(string | null)[]> {
  const where = { subjectId: creatorId };
  const creator = await models.Creator.findOne({ attributes: ['handle', 'displayName'], where, transaction });
  return creator ? [creator.handle, creator.displayName] : [];
}
