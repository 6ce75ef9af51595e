import type { Connection } from '../database/connect.ts';
import { saveArtifacts } from '../registry/artifacts/save-artifacts.ts';
import { saveCreators } from '../registry/creators/save-creators.ts';
import type { Renames } from '../registry/listings/listing-names.ts';
import type { RowOutcome, SavedBatch } from '../registry/listings/listing-row.ts';
import { saveListings } from '../registry/listings/save-listings.ts';
import { saveAccounts } from '../registry/platform-accounts/save-accounts.ts';
import { saveRelations } from '../registry/relations/save-relations.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import type { ParsedRow, RowKind } from './row-kinds.ts';

/** What storing rows came to. */
export interface StoredRows {
  outcomes: readonly RowOutcome[];
  /** Ids of subjects that were stored, each of which is to be scored. */
  saved: readonly string[];
}

/**
 * Stores rows of one kind in the caller's transaction, and notes what has to be scored: the subjects among them, and others
 * that lose the facts of their last score by it.
 */
export async function storeRows(
  connection: Connection,
  rows: readonly ParsedRow[],
  renames: Renames,
): Promise<StoredRows> {
  const { outcomes, saved, due, dueByLineage, giveNames } = await saveKind(connection, rows, renames);
  await noteScoreDue(connection, [...saved, ...due], dueByLineage);
  await giveNames?.();
  return { outcomes, saved };
}

function saveKind(connection: Connection, rows: readonly ParsedRow[], renames: Renames): Promise<SavedBatch> {
  switch (rows[0]?.kind) {
    case 'listing':
      return saveListings(connection, rowsOf(rows, 'listing'), renames);
    case 'creator':
      return saveCreators(connection, rowsOf(rows, 'creator'));
    case 'account':
      return saveAccounts(connection, rowsOf(rows, 'account'));
    case 'artifact':
      return saveArtifacts(connection, rowsOf(rows, 'artifact'), renames);
    case 'relation':
      return saveRelations(connection, rowsOf(rows, 'relation'), renames);
    case undefined:
      throw new Error('an empty batch has no kind');
  }
}

/** The rows of a batch, which are all of one kind. */
function rowsOf<Kind extends RowKind>(rows: readonly ParsedRow[], kind: Kind) {
  return rows
    .filter((parsed): parsed is Extract<ParsedRow, { kind: Kind }> => parsed.kind === kind)
    .map(rowOf<Kind>);
}

function rowOf<Kind extends RowKind>(parsed: Extract<ParsedRow, { kind: Kind }>) {
  return parsed.row as Extract<ParsedRow, { kind: Kind }>['row'];
}
