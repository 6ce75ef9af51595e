import { storeRows } from '../../src/intake/import/store-rows.ts';
import type { ParsedRow } from '../../src/intake/import/validate-row.ts';
import type { Connection } from '../../src/platform/database/connect.ts';
import { scoreInTransaction } from '../../src/scoring/batches/score-subjects.ts';
import { embeddedBackend } from '../../src/scoring/embedded/embedded-backend.ts';
import type { ScoringBackend } from '../../src/scoring/scoring-backend.ts';

/** Stores rows of one kind and scores them in one transaction, like an import. */
export async function saveRows(
  connection: Connection,
  rows: readonly ParsedRow[],
  backend: ScoringBackend = embeddedBackend,
) {
  const stored = await storeRows(connection, rows, new Map());
  await scoreInTransaction(connection, backend, stored.saved);
  return stored;
}
