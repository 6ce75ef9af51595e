import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { makeAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { detachCreator, listingsOfOwner, mergeCreators, mergedInto } from './ownership.queries.ts';
import { findDifferentlyNamedCreator, moveAllListings } from './set-handle.queries.ts';

/**
 * Unifies the handles of an account and its creator: both get the one that the owner chose. A creator with another handle,
 * from a repository host, is merged with its listings into a new creator of the account, as if the account had listed
 * something before it proved that host account. Returns the creators whose flags and scores change; none before a handle is
 * chosen. The caller has called lockRegistry or lockKeys and locked the account's creator.
 */
export async function unifyHandle(connection: Connection, accountId: string): Promise<string[]> {
  const former = await findDifferentlyNamedCreator(connection, accountId);
  if (former === null) return [];
  const names = [former, ...(await mergedInto(connection, former))];
  const listings = await listingsOfOwner(connection, former, null);
  await detachCreator(connection, former);
  const own = await makeAccountCreator(connection, accountId);
  for (const name of names) await mergeCreators(connection, name, own);
  // The person stays the same, so their acknowledgements of others' work stay valid.
  await moveAllListings(connection, former, own);
  await refreshSearch(connection, listings);
  await refreshCreatorAliases(connection, [own, ...names]);
  return [own, former];
}
