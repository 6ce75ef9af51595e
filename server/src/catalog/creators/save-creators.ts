import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import type { ImportedRow, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { addSubjects, lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import { accountKey, creatorKey } from '../registry-keys.ts';
import { lockMoreKeys, readLocked } from '../registry-locks.ts';
import { DIRECTORY_HOST } from '../subjects/public-path.ts';
import { creatorAliases } from '../subjects/stored-aliases.ts';
import { addAliases } from '../subjects/subject-alias.queries.ts';
import {
  findAccountCreator,
  findChanges,
  findCreators,
  findHandleOf,
  handleOwnersOf,
  insertCreatorOf,
  insertCreators,
  LISTINGS_OF,
  type NewCreator,
  RENAME_SUBJECTS,
  updateCreators,
  worksOf,
} from './creator.queries.ts';
import { type Owner, ownerKey, refreshCreatorAliases } from './creator-names.ts';
import { refreshVerifiedCreators } from './verified.ts';

export { findAccountCreator };

/** A repository owner as a source states it. */
export interface CreatorRow {
  host: string;
  handle: string;
  displayName: string | null;
  /** Other spellings of the handle, which differ only in case. */
  handleVariants: readonly string[];
  imported: ImportedRow;
}

/**
 * A stored creator. For a merged creator, host and handle are its own; the other fields are those of the creator into
 * which it was merged.
 */
export interface StoredCreator extends Owner {
  id: string;
  /** Handle under which the creator's listings are shown and found. */
  shownHandle: string;
  displayName: string | null;
}

/** Returns the creators of these host accounts by `ownerKey`. Adds unknown creators with just host and handle. */
export async function ensureCreators(
  connection: Connection,
  owners: readonly Owner[],
): Promise<Map<string, StoredCreator>> {
  const wanted = new Map(owners.map((owner) => [ownerKey(owner), owner]));
  const known = await findCreators(connection, [...wanted.values()]);
  const missing = [...wanted]
    .filter(([key]) => !known.has(key))
    .map(([, { host, handle }]) => ({ host, handle, displayName: null, imported: null }));
  for (const creator of await addCreators(connection, missing)) known.set(ownerKey(creator), creator);
  return known;
}

/**
 * Stores a batch of creators: adds unknown ones, updates changed ones, skips unchanged ones. Rows never change the
 * names of a creator that belongs to a customer account. If facts change on which scores depend, the creator, its
 * listings and its artifacts become due for scoring.
 */
export async function saveCreators(connection: Connection, rows: readonly CreatorRow[]): Promise<SavedBatch> {
  const changes = await findChanges(connection, rows);
  const outcomes = changes.map(({ stored, unchanged, wasImported }): RowOutcome => {
    if (unchanged) return 'unchanged';
    return stored !== null && wasImported ? 'changed' : 'added';
  });
  const known = changes.flatMap(({ row, stored, unchanged }) =>
    stored && !unchanged ? [{ row, stored }] : [],
  );
  const unknown = changes.filter(({ stored }) => stored === null).map(({ row }) => row);
  const renaming = known.filter(
    ({ row, stored }) => row.handle !== stored.handle || row.displayName !== stored.displayName,
  );
  const shown = await listingsShowing(
    connection,
    renaming.map(({ stored }) => stored.id),
  );
  // Locks creators and listings together: two rounds of locks would not be in the order of ids.
  await lockSubjects(connection, [...known.map(({ stored }) => stored.id), ...shown]);
  const added = await addCreators(connection, unknown);
  const updated = await updateCreators(
    connection,
    known.map(({ row }) => row),
  );
  await renameCreators(
    connection,
    updated.filter(({ renamed }) => renamed),
  );
  const changed = updated.filter(({ factsChanged }) => factsChanged).map(({ id }) => id);
  const due = [
    ...added.filter(hasScoredFacts).map(idOf),
    ...changed,
    ...(await worksOf(connection, changed)),
  ];
  return { outcomes, saved: [], due, dueByLineage: [] };
}

interface AddedCreator extends NewCreator, StoredCreator {
  displayName: string | null;
}

async function addCreators(connection: Connection, rows: readonly NewCreator[]): Promise<AddedCreator[]> {
  if (rows.length === 0) return [];
  const creators = [...rows]
    // Sort first, so that concurrent transactions lock in one order and cannot deadlock.
    .sort((a, b) => (ownerKey(a) < ownerKey(b) ? -1 : 1))
    .map(({ host, handle, displayName, imported }) => {
      return { id: uuidv7(), host, handle, shownHandle: handle, displayName, imported };
    });
  await addSubjects(
    connection,
    creators.map(({ id, handle, displayName }) => {
      return { id, type: 'creator' as const, name: displayName ?? handle };
    }),
  );
  await insertCreators(connection, creators);
  const named = creators.map((creator) => ({
    subjectId: creator.id,
    subjectType: 'creator' as const,
    aliases: creatorAliases(creator),
  }));
  await addAliases(connection, named);
  return creators;
}

/** Returns true if the row has facts on which a score depends. */
function hasScoredFacts({ imported }: NewCreator): boolean {
  return (
    String(imported?.mcpRegistryGithubNamespace) === 'true' || (imported?.accountCreatedAt ?? null) !== null
  );
}

function idOf({ id }: { id: string }): string {
  return id;
}

/**
 * Updates aliases and search words after a change of display name or spelling. The caller has locked the creators'
 * subjects and those of `listingsShowing`.
 */
async function renameCreators(connection: Connection, creators: readonly StoredCreator[]): Promise<void> {
  if (creators.length === 0) return;
  const ids = creators.map(({ id }) => id);
  await connection.query(RENAME_SUBJECTS, [ids]);
  await refreshCreatorAliases(connection, await handleOwnersOf(connection, ids));
  await refreshSearch(connection, await listingsShowing(connection, ids));
}

/** Returns the listings that are shown and found under the names of these creators. */
async function listingsShowing(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  if (creatorIds.length === 0) return [];
  const handleOwners = await handleOwnersOf(connection, creatorIds);
  const listings = await connection.query<{ id: string }>(LISTINGS_OF, [handleOwners]);
  return listings.map(({ id }) => id);
}

/**
 * Returns the creator of a customer account. If the account has none, creates one under the account's handle. The lock
 * on the account makes concurrent calls create only one. The caller has called lockRegistry or lockKeys.
 */
export async function ensureAccountCreator(connection: Connection, accountId: string): Promise<string> {
  const creatorId = await readLocked(
    connection,
    () => findAccountCreator(connection, accountId),
    (known) => [accountKey(accountId), ...(known === null ? [] : [creatorKey(known)])],
  );
  return creatorId ?? makeAccountCreator(connection, accountId);
}

/**
 * Creates a customer account's creator under the account's handle. If the account has no handle (possible only if the
 * creator is not created by a registration), its id serves as handle, because no account can choose an id as handle.
 */
export async function makeAccountCreator(connection: Connection, accountId: string): Promise<string> {
  await lockMoreKeys(connection, [accountKey(accountId)]);
  const handle = await findHandleOf(connection, accountId);
  if (handle === null) throw new Error('the account of the credential no longer exists');
  const id = await insertCreatorOf(connection, accountId, handle);
  await lockMoreKeys(connection, [creatorKey(id)]);
  const aliases = creatorAliases({ id, host: DIRECTORY_HOST, handle, displayName: null });
  await addAliases(connection, [{ subjectId: id, subjectType: 'creator', aliases }]);
  // The new creator is verified if the account already has proofs.
  await refreshVerifiedCreators(connection, [id]);
  return id;
}
