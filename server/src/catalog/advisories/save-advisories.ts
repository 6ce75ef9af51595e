import type { Connection } from '../../platform/database/connect.ts';
import type { AdvisoryReading, AdvisoryRow } from './advisory-row.ts';
import {
  findStoredAdvisories,
  lockAdvisories,
  type StoredAdvisory,
  upsertReadings,
  writeAdvisories,
} from './write-advisories.queries.ts';

/** Result for one row: `outdated` if the stored record is newer. */
export type AdvisoryOutcome = 'added' | 'changed' | 'unchanged' | 'outdated';

/**
 * Stores a batch of advisories in an open transaction, and returns the result of each. A record replaces a stored one
 * with the same id unless that one was modified later; the replaced state is kept in `advisory_history`. A withdrawn
 * record stays stored, but no longer affects a package. A second run of the same rows writes nothing.
 */
export async function saveAdvisories(
  connection: Connection,
  rows: readonly AdvisoryRow[],
): Promise<AdvisoryOutcome[]> {
  await lockAdvisories(connection);
  const stored = await findStoredAdvisories(
    connection,
    rows.map(({ id }) => id),
  );
  const current = new Map<string, Pick<StoredAdvisory, 'modifiedMs' | 'contentHash'>>(
    stored.map((each) => [each.id, each]),
  );
  const winners = new Map<string, AdvisoryRow>();
  const outcomes = rows.map((row): AdvisoryOutcome => {
    const before = current.get(row.id);
    if (before?.contentHash === row.contentHash) return 'unchanged';
    const modifiedMs = Date.parse(row.modifiedAt);
    if (before && before.modifiedMs > modifiedMs) return 'outdated';
    current.set(row.id, { modifiedMs, contentHash: row.contentHash });
    winners.set(row.id, row);
    return before ? 'changed' : 'added';
  });
  const known = new Set(stored.map(({ id }) => id));
  await writeAdvisories(connection, [...winners.values()], known);
  return outcomes;
}

/**
 * Stores that whole databases were read just now. While a reading is current, a package of the ecosystem without an
 * advisory counts as not affected.
 */
export async function saveReadings(
  connection: Connection,
  readings: readonly AdvisoryReading[],
): Promise<void> {
  if (readings.length > 0) await upsertReadings(connection, readings);
}
