import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { type Owner, ownerKey } from '../creators/owner-key.ts';
import { ensureCreators, type StoredCreator } from '../creators/save-creators.ts';
import { insertListings, updateListings } from './listing.repository.ts';
import { drawAgentIds } from './listing-ids.ts';
import { type ListingRow, ownerOf } from './listing-row.ts';
import type { Decision, StoredListing } from './match-listings.ts';
import { checkOwners, displaceListings, lockSubjects, refreshSearch } from './write-listings.ts';

/** A row that is stored now, and what was stored before it: nothing, where it was added. */
export interface SavedListing {
  id: string;
  row: ListingRow;
  before: StoredListing | null;
  /** The listing that had the row's name until now and is another repository. */
  displaced: StoredListing | null;
}

type Addition = Decision & { step: 'add' };
type Update = Decision & { step: 'update' };

/** Writes what was decided: creators, subjects and listings. Names and relations are left to the caller. */
export async function applyDecisions(
  connection: Connection,
  decisions: readonly Decision[],
): Promise<SavedListing[]> {
  const additions = decisions.filter((decision) => decision.step === 'add');
  const updates = decisions.filter((decision) => decision.step === 'update');
  const displaced = [...additions, ...updates].flatMap((decision) => decision.displaced?.id ?? []);
  const owners = [...additions, ...updates].map(({ row }) => ownerOfRow(row));
  const creators = await ensureCreators(connection, owners);
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
  // Registered in the same moment: the batch is undone, and finds the listing when it is tried again.
  if (stored < listings.length) throw new ListedMeanwhile();
  await checkOwners(
    connection,
    listings.map(({ id }) => id),
  );
  return listings;
}

/** A repository of the batch was listed by somebody else between the look-up and the insert. Nothing was saved. */
export class ListedMeanwhile extends Error {
  constructor() {
    super('a repository of this batch was listed in the same moment');
    this.name = 'ListedMeanwhile';
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

/** A repository that moved to another account has that account's creator, unless an account here has it. */
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
  if (!creator) throw new Error(`no creator was made for ${row.repository}`);
  return creator;
}

function ownerOfRow({ host, repository }: ListingRow): Owner {
  return { host, handle: ownerOf(repository) };
}
