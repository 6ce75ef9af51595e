import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../database/connect.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { findOwners } from './account-owners.ts';
import type { AccountRow } from './account-row.ts';
import { type AccountDecision, decideAccounts } from './match-accounts.ts';
import { displaceAccounts, insertAccounts, refreshAccountAliases, updateAccounts } from './write-accounts.ts';

/**
 * Stores a batch of account rows with their subjects and every name that leads to them. A row that says nothing new
 * writes nothing. An account that another took the handle of keeps its id and its history.
 */
export async function saveAccounts(connection: Connection, rows: readonly AccountRow[]): Promise<SavedBatch> {
  const owners = await findOwners(connection, rows);
  const decisions = await decideAccounts(connection, rows, owners);
  const saved = await applyDecisions(connection, decisions);
  return { outcomes: decisions.map(outcomeOf), saved, due: [], dueByLineage: [] };
}

async function applyDecisions(
  connection: Connection,
  decisions: readonly AccountDecision[],
): Promise<string[]> {
  const additions = decisions.filter((decision) => decision.step === 'add');
  const updates = decisions.filter((decision) => decision.step === 'update');
  if (additions.length + updates.length === 0) return [];
  const displaced = [...additions, ...updates].flatMap((decision) => decision.displaced?.id ?? []);
  await lockSubjects(connection, [...updates.map(({ stored }) => stored.id), ...displaced]);
  await displaceAccounts(connection, displaced);
  const added = additions.map(({ row, ownerId }) => ({
    id: uuidv7(),
    row,
    ownerId,
    formerHandles: handlesBefore(row, []),
  }));
  await insertAccounts(connection, added);
  const updated = updates.map(({ row, ownerId, stored }) => ({
    id: stored.id,
    row,
    ownerId,
    formerHandles: handlesBefore(row, [...stored.formerHandles, stored.handle]),
  }));
  await updateAccounts(connection, updated);
  const saved = [...added, ...updated].map(({ id }) => id);
  await refreshAccountAliases(connection, [...new Set([...saved, ...displaced])]);
  return saved;
}

/** Handles that are no longer the account's: stated once or seen by the platform's id, they stay, as history does. */
function handlesBefore(row: AccountRow, known: readonly string[]): string[] {
  const handles = new Map<string, string>();
  for (const handle of [...known, ...row.formerHandles]) {
    // A handle that another took is no name of it any more; `~` marks what stood in its place.
    if (!handle.includes('~') && !handles.has(handle.toLowerCase()))
      handles.set(handle.toLowerCase(), handle);
  }
  handles.delete(row.handle.toLowerCase());
  return [...handles.values()];
}

function outcomeOf(decision: AccountDecision): RowOutcome {
  switch (decision.step) {
    case 'add':
      return 'added';
    case 'update':
      return 'changed';
    case 'keep':
      return 'unchanged';
    case 'reject':
      return { code: decision.code, reason: decision.reason };
  }
}
