import type { Connection } from '../../src/database/connect.ts';
import type { ParsedRow } from '../../src/import/row-kinds.ts';
import { storeRows } from '../../src/import/save-batch.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import { scoreInTransaction } from '../../src/scoring/score-in-transaction.ts';
import type { ScoringBackend } from '../../src/scoring/scoring-backend.ts';

/** Stores rows of one kind and scores them, as an import does, in one transaction. */
export async function saveRows(
  connection: Connection,
  rows: readonly ParsedRow[],
  backend: ScoringBackend = embeddedBackend,
) {
  const stored = await storeRows(connection, rows, new Map());
  await scoreInTransaction(connection, backend, stored.saved);
  return stored;
}
