import type { Connection } from '../../database/connect.ts';
import { creatorAliases } from '../../subjects/labels.ts';
import { DIRECTORY_HOST } from '../../subjects/naming.ts';
import { addAliases } from '../../subjects/save-aliases.ts';
import { findCreatorOf, findHandleOf, insertCreatorOf, lockCreatorOf } from './account-creator.repository.ts';
import { refreshVerifiedCreators } from './verified.ts';

/**
 * Returns the creator of an account, made under the account's handle where it has none yet. Two first registrations of one
 * account wait for each other, so that they don't make two. The caller has called lockLineage or shareLineage.
 */
export async function ensureAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const creatorId = await findCreatorOf(connection, accountId);
  if (creatorId !== null) return creatorId;
  await lockCreatorOf(connection, accountId);
  return (await findCreatorOf(connection, accountId)) ?? makeAccountCreator(connection, accountId);
}

/**
 * Makes the creator of an account that has none, under the account's handle. Without one, which no registration is, the
 * account's id stands in for it: no account can choose that.
 */
export async function makeAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const handle = await findHandleOf(connection, accountId);
  if (handle === null) throw new Error('the account of the credential is gone');
  const id = await insertCreatorOf(connection, accountId, handle);
  const aliases = creatorAliases({ id, host: DIRECTORY_HOST, handle, displayName: null });
  await addAliases(connection, [{ subjectId: id, subjectType: 'creator', aliases }]);
  // What the account proved before it had a creator counts for it.
  await refreshVerifiedCreators(connection, [id]);
  return id;
}
