import type { Connection } from '../database/connect.ts';
import { makeAccountCreator } from '../registry/creators/account-creator.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { listingsOfOwner, mergeCreators, mergedInto, releaseCreator } from './ownership.repository.ts';
import { findOtherwiseNamed, passListings } from './share-handle.repository.ts';

/**
 * An account and its creator have one handle, the one that its owner chose. Where the creator came from a repository host
 * under another one, the account gets a creator of its own, and that one with its listings is merged into it, as if the
 * account had listed something before it proved the host's. Answers the creators whose marks and scores change by it; none
 * before a handle is chosen. The caller has called lockLineage and locked what concerns the account's creator.
 */
export async function shareHandle(connection: Connection, accountId: string): Promise<string[]> {
  const former = await findOtherwiseNamed(connection, accountId);
  if (former === null) return [];
  const names = [former, ...(await mergedInto(connection, former))];
  const listings = await listingsOfOwner(connection, former, null);
  await releaseCreator(connection, former);
  const own = await makeAccountCreator(connection, accountId);
  for (const name of names) await mergeCreators(connection, name, own);
  // The same person goes on: what they acknowledged of others' work stays so.
  await passListings(connection, former, own);
  await refreshSearch(connection, listings);
  await refreshCreatorAliases(connection, [own, ...names]);
  return [own, former];
}
