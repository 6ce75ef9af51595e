import type { Connection } from '../database/connect.ts';
import { saveArtifacts } from '../registry/artifacts/save-artifacts.ts';
import { saveCreators } from '../registry/creators/save-creators.ts';
import type { Renames } from '../registry/listings/listing-names.ts';
import type { RowOutcome, SavedBatch } from '../registry/listings/listing-row.ts';
import { saveListings } from '../registry/listings/save-listings.ts';
import { saveAccounts } from '../registry/platform-accounts/save-accounts.ts';
import { saveRelations } from '../registry/relations/save-relations.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { scoreInTransaction } from '../scoring/score-in-transaction.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import type { ParsedRow, RowKind } from './row-kinds.ts';

/** What storing rows came to. */
export interface SavedRows {
  outcomes: readonly RowOutcome[];
  /** Scores recorded with the rows. */
  scored: number;
}

/**
 * Stores rows of one kind and scores the subjects among them, in the caller's transaction. Subjects that lose the facts
 * of their last score by it are noted; so are all where another system scores, which no transaction may wait for.
 */
export async function saveRows(
  connection: Connection,
  backend: ScoringBackend,
  rows: readonly ParsedRow[],
  renames: Renames,
): Promise<SavedRows> {
  const { outcomes, saved, due, dueByLineage, giveNames } = await saveKind(connection, rows, renames);
  await noteScoreDue(connection, due, dueByLineage);
  // The database stores the names while this process works the scores out.
  const scored = await beside(scoreInTransaction(connection, backend, saved), giveNames?.());
  return { outcomes, scored };
}

/** Waits for both, so that neither goes on after the transaction; throws what failed first, which is why the other did. */
async function beside<Result>(main: Promise<Result>, other?: Promise<void>): Promise<Result> {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  await Promise.all([main.catch(note), other?.catch(note)]);
  if (failures.length > 0) throw failures[0];
  return main;
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
