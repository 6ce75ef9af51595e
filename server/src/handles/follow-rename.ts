import type { Connection } from '../database/connect.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../registry/listings/listing-aliases.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { handleLabel } from '../subjects/labels.ts';
import { renameBearer, renameListings } from './follow-rename.repository.ts';
import { lockCreators } from './lock-creators.ts';
import { findAccountCreator, findBearer, listingsOfOwner, takeName } from './ownership.repository.ts';

/** A proved account on a repository host that goes by another handle now. */
export interface Renamed {
  accountId: string;
  host: string;
  hostAccountId: string;
  from: string;
  to: string;
}

/**
 * Renames the creator that bore the account's old handle, and its listings, as the host has renamed their repositories.
 * The old names still lead to them until somebody else has them. Where the registry has the new handle already, the
 * creator that has it is still to be taken over. The caller is in a transaction and has called lockLineage.
 */
export async function followRename(connection: Connection, renamed: Renamed): Promise<void> {
  const { accountId, host, hostAccountId, from, to } = renamed;
  const own = await findAccountCreator(connection, accountId);
  const bearer = await findBearer(connection, { host, handle: from });
  if (own === null) return;
  await lockCreators(connection, [own]);
  const isOwn = bearer !== null && (bearer.id === own || bearer.mergedInto === own);
  if (isOwn && bearer.hostAccountId === hostAccountId) {
    if (await findBearer(connection, { host, handle: to })) await takeName(connection, bearer);
    else await renameBearer(connection, bearer.id, to);
    const former = { label: handleLabel(host, from), kind: 'former' } as const;
    await refreshCreatorAliases(connection, [own], new Map([[own, [former]]]));
  }
  const listings = await renameListings(connection, own, { host, hostAccountId, from, to });
  // The new handle is one of the words that a search finds them by.
  await refreshSearch(connection, await listingsOfOwner(connection, own, null));
  const formerNames = new Map(listings.map(({ id, before }) => [id, [before]]));
  const ids = [...formerNames.keys()];
  await refreshListingAliases(connection, ids, formerNames);
  await refreshArtifactAliases(connection, await artifactsInside(connection, ids));
}
