import { lockLivingAccount } from '../callers/lock-living-account.ts';
import type { Connection } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { markProofDue, refreshVerified } from '../registry/creators/verified.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { handleLabel } from '../subjects/labels.ts';
import { DIRECTORY_HOST } from '../subjects/naming.ts';
import { handleTaken, requireHandle } from './handle-rules.ts';
import { lockCreators } from './lock-creators.ts';
import { findAccountCreator, listingsOfOwner } from './ownership.repository.ts';
import { shareHandle } from './share-handle.ts';
import { isHeldByOthers, renameAccount } from './take-handle.repository.ts';

/**
 * Gives an account its first handle, or another: a free one, or one that the registry has and the account has taken
 * over. The old handle still leads to its creator until somebody else has it. Answers what has to be scored again. The
 * caller is in a transaction. Throws invalid_request, handle_taken.
 */
export async function takeHandle(
  connection: Connection,
  accountId: string,
  handle: string,
): Promise<string[]> {
  requireHandle(handle);
  await lockLivingAccount(connection, accountId);
  await lockLineage(connection);
  if (await isHeldByOthers(connection, accountId, handle)) throw handleTaken(handle);
  const creatorId = await findAccountCreator(connection, accountId);
  if (creatorId !== null) await lockCreators(connection, [creatorId]);
  const before = await renameAccount(connection, accountId, handle).catch((error: unknown) => {
    throw violates(error, 'account_handle') ? handleTaken(handle) : error;
  });
  if (creatorId === null) return [];
  const [ownId = creatorId, ...merged] = await shareHandle(connection, accountId);
  const former =
    before === null ? [] : [{ label: handleLabel(DIRECTORY_HOST, before), kind: 'former' as const }];
  await refreshCreatorAliases(connection, [ownId], new Map([[ownId, former]]));
  await refreshSearch(connection, await listingsOfOwner(connection, ownId, null));
  if (merged.length === 0) return [];
  await refreshVerified(connection, [ownId, ...merged]);
  return markProofDue(connection, [ownId]);
}
