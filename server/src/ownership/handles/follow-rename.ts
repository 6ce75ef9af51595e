import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { findAccountCreator } from '../../catalog/creators/save-creators.ts';
import { creatorsOfAccounts } from '../../catalog/creators/verified.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import { accountKey, creatorKey, hostAccountKeys, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { handleAlias } from '../../catalog/subjects/stored-aliases.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { renameHandleOwner, renameListings } from './follow-owner.queries.ts';
import {
  detachCreator,
  findAffectedSubjects,
  findHandleOwner,
  keysOfHandleOwner,
  listingsOfOwner,
  replaceRetiredHandle,
} from './ownership.queries.ts';

/** A proved account on a repository host that has a new handle. */
export interface RenamedAccount {
  accountId: string;
  host: string;
  hostAccountId: string;
  from: string;
  to: string;
}

/**
 * Follows a rename of a host account: renames the creator with the old handle, and the listings of the account, whose
 * repositories the host has renamed too. The old names resolve to the renamed creator and listings until another
 * creator or listing takes them. If another creator already has the new handle, the renamed creator gets a substitute
 * (`replaceRetiredHandle`), and the caller claims the other creator. Does nothing if the directory account has no
 * creator. The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function followRename(connection: Connection, renamed: RenamedAccount): Promise<void> {
  const { accountId, host, hostAccountId, from, to } = renamed;
  await lockMoreKeys(connection, [
    accountKey(accountId),
    nameKey(from),
    nameKey(to),
    ...hostAccountKeys(host, hostAccountId),
  ]);
  const own = await readLocked(
    connection,
    () => findAccountCreator(connection, accountId),
    (id) => (id === null ? [] : [creatorKey(id)]),
  );
  const handleOwner = await readLocked(
    connection,
    () => findHandleOwner(connection, { host, handle: from }),
    keysOfHandleOwner,
  );
  if (own === null) return;
  await lockCreators(connection, [own]);
  const isOwn = handleOwner !== null && (handleOwner.id === own || handleOwner.mergedInto === own);
  if (isOwn && handleOwner.hostAccountId === hostAccountId) {
    if (await findHandleOwner(connection, { host, handle: to }))
      await replaceRetiredHandle(connection, handleOwner);
    else await renameHandleOwner(connection, handleOwner.id, to);
    const former = { label: handleAlias(host, from), kind: 'former' } as const;
    await refreshCreatorAliases(connection, [own], new Map([[own, [former]]]));
  }
  const listings = await renameListings(connection, own, { host, hostAccountId, from, to });
  // Update the search index, so that the listings are found by the new handle.
  await refreshSearch(connection, await listingsOfOwner(connection, own, null));
  const formerNames = new Map(listings.map(({ id, before }) => [id, [before]]));
  const ids = [...formerNames.keys()];
  // The MCP registry proves namespaces of the old handle, which may soon be another owner's.
  const packages = await refreshPackages(connection, ids);
  await packages.storeAliases();
  await enqueueScoring(connection, packages.due, []);
  await refreshListingAliases(connection, ids, formerNames);
  await refreshArtifactAliases(connection, await artifactsInside(connection, ids));
}

/** Detaches an account's creators, which keep their handles and listings. The caller has locked them. */
export async function detachCreators(connection: Connection, accountId: string): Promise<void> {
  for (const creator of await creatorsOfAccounts(connection, [accountId])) {
    await detachCreator(connection, creator);
  }
}

/**
 * Locks everything that a change of these creators affects: the creators, so that no listing joins or leaves them, and
 * the rows of their listings and of the listings' children. Rows are locked in id order, so that two transactions
 * cannot deadlock.
 */
export async function lockCreators(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  await lockMoreKeys(connection, creatorIds.map(creatorKey));
  await lockSubjects(connection, await findAffectedSubjects(connection, creatorIds));
}
