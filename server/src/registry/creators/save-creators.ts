import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import { creatorAliases } from '../../subjects/labels.ts';
import { addAliases } from '../../subjects/save-aliases.ts';
import { addSubjects } from '../add-subjects.repository.ts';
import type { ImportedRow, RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects, refreshSearch } from '../listings/write-listings.ts';
import {
  bearersOf,
  findChanges,
  findCreators,
  insertCreators,
  LISTINGS_OF,
  type NewCreator,
  RENAME_SUBJECTS,
  updateCreators,
  worksOf,
} from './creator.repository.ts';
import { refreshCreatorAliases } from './creator-names.ts';
import { type Owner, ownerKey } from './owner-key.ts';

/** One repository owner as a source states it. */
export interface CreatorRow {
  host: string;
  handle: string;
  displayName: string | null;
  /** Other spellings of the handle, in case only. */
  handleVariants: readonly string[];
  imported: ImportedRow;
}

/** A creator as stored. Of one that was merged into another, host and handle are its own, the rest is the other's. */
export interface StoredCreator extends Owner {
  id: string;
  /** The handle that its listings are shown and found under. */
  shownHandle: string;
  displayName: string | null;
}

/** The creators of these accounts by `ownerKey`; who is not known yet is added, with no more than host and handle. */
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
 * Stores a batch of creator rows: unknown ones are added, known ones brought up to date, unchanged ones not written.
 * What an account of this directory calls itself is its own; a row can't change it. Listings of creators whose facts
 * for the score changed are due.
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
  await lockSubjects(
    connection,
    known.map(({ stored }) => stored.id),
  );
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
  const due = [...added.filter(tellsFacts).map(idOf), ...changed, ...(await worksOf(connection, changed))];
  return { outcomes, saved: [], due, dueByLineage: [] };
}

interface AddedCreator extends NewCreator, StoredCreator {
  displayName: string | null;
}

async function addCreators(connection: Connection, rows: readonly NewCreator[]): Promise<AddedCreator[]> {
  if (rows.length === 0) return [];
  const creators = [...rows]
    // In one order for everybody, so that two who add the same ones wait for each other and not in a circle.
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

/** Whether a row of a creator says anything that its score is made from. */
function tellsFacts({ imported }: NewCreator): boolean {
  return (
    String(imported?.mcpRegistryGithubNamespace) === 'true' || (imported?.accountCreatedAt ?? null) !== null
  );
}

function idOf({ id }: { id: string }): string {
  return id;
}

/** A creator's new display name or spelling leads to it and finds its listings. */
async function renameCreators(connection: Connection, creators: readonly StoredCreator[]): Promise<void> {
  if (creators.length === 0) return;
  const ids = creators.map(({ id }) => id);
  await connection.query(RENAME_SUBJECTS, [ids]);
  const bearers = await bearersOf(connection, ids);
  await refreshCreatorAliases(connection, bearers);
  const listings = await connection.query<{ id: string }>(LISTINGS_OF, [bearers]);
  await refreshSearch(
    connection,
    listings.map(({ id }) => id),
  );
}
