import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { type Owner, ownerKey } from '../creators/creator-names.ts';
import { ensureCreators, type StoredCreator } from '../creators/save-creators.ts';
import { insertListings, updateListings } from '../listings/listing.queries.ts';
import { type ListingRow, ownerOf, type SavedListing, type StoredListing } from '../listings/listing-row.ts';
import { displaceListings, lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import { creatorKey, nameKey } from '../registry-keys.ts';
import { lockMoreKeys, readLocked } from '../registry-locks.ts';
import type { Decision } from './match-listings.ts';
import { drawAgentIds } from './match-listings.ts';

type Addition = Decision & { step: 'add' };
type Update = Decision & { step: 'update' };

/**
 * Writes the listings that `decideListings` adds or updates, with their creators and subjects. The caller writes
 * aliases and relations.
 */
export async function applyDecisions(
  connection: Connection,
  decisions: readonly Decision[],
): Promise<SavedListing[]> {
  const additions = decisions.filter((decision) => decision.step === 'add');
  const updates = decisions.filter((decision) => decision.step === 'update');
  const displaced = [...additions, ...updates].flatMap((decision) => decision.displaced?.id ?? []);
  const owners = [...additions, ...updates].map(({ row }) => ownerOfRow(row));
  await lockMoreKeys(
    connection,
    owners.map(({ handle }) => nameKey(handle)),
  );
  const creators = await readLocked(
    connection,
    () => ensureCreators(connection, owners),
    (found) => [...found.values()].map(({ id }) => creatorKey(id)),
  );
  await lockSubjects(connection, [...updates.map(({ stored }) => stored.id), ...displaced]);
  await displaceListings(connection, displaced);
  const added = await add(connection, additions, creators);
  const updated = await update(connection, updates, creators);
  return [...added, ...updated];
}

async function add(
  connection: Connection,
  additions: readonly Addition[],
  creators: ReadonlyMap<string, StoredCreator>,
): Promise<SavedListing[]> {
  const agentIds = await drawAgentIds(connection, additions.length);
  const listings = additions.map(({ row, displaced }, index) => {
    const creator = creatorOf(row, creators);
    return {
      id: uuidv7(),
      row,
      before: null,
      displaced,
      creatorId: creator.id,
      creatorNames: [creator.shownHandle, creator.displayName],
      agentId: agentIds[index] as string,
      registryRowId: uuidv7(),
      registeredBy: null,
    };
  });
  const stored = await insertListings(connection, listings);
  // A concurrent registration has listed the same repository. The batch is rolled back, and its retry finds that
  // listing.
  if (stored < listings.length) throw new ConcurrentListingError();
  return listings;
}

/**
 * Thrown if a repository of the batch was listed after the batch had looked it up. The transaction must be rolled back.
 */
export class ConcurrentListingError extends Error {
  constructor() {
    super('a repository of this batch was listed concurrently');
    this.name = 'ConcurrentListingError';
  }
}

async function update(
  connection: Connection,
  updates: readonly Update[],
  creators: ReadonlyMap<string, StoredCreator>,
): Promise<SavedListing[]> {
  const listings = updates.map(({ row, stored, displaced }) => ({
    id: stored.id,
    row,
    before: stored,
    displaced,
    creatorId: creatorAfterRename(row, stored, creators),
  }));
  await updateListings(connection, listings);
  await refreshSearch(
    connection,
    listings.map(({ id }) => id),
  );
  return listings;
}

/**
 * Returns the creator of an updated listing, whose repository may have been renamed. If the stored creator is the owner
 * in the old repository name, returns the owner in the new name. Any other creator, such as that of a customer account
 * which owns the listing, stays.
 */
function creatorAfterRename(
  row: ListingRow,
  stored: StoredListing,
  creators: ReadonlyMap<string, StoredCreator>,
): string {
  const oldOwner = ownerKey({ host: stored.host, handle: ownerOf(stored.repository) });
  return stored.creatorKey === oldOwner ? creatorOf(row, creators).id : stored.creatorId;
}

function creatorOf(row: ListingRow, creators: ReadonlyMap<string, StoredCreator>): StoredCreator {
  const creator = creators.get(ownerKey(ownerOfRow(row)));
  if (!creator) throw new Error(`no creator is stored for ${row.repository}`);
  return creator;
}

function ownerOfRow({ host, repository }: ListingRow): Owner {
  return { host, handle: ownerOf(repository) };
}
