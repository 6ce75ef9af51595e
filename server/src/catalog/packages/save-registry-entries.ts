import type { Connection } from '../../platform/database/connect.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { listingsNamedBy } from './decide-packages.queries.ts';
import { refreshPackages } from './decide-packages.ts';
import { announceListings, saveEntries } from './registry-entries.queries.ts';
import type { RegistryLine } from './registry-entry.ts';

/**
 * Stores a batch of lines with entries of the MCP registry. An entry that was updated later replaces an earlier one of
 * the same version, in any order of import. Judges the packages of the listings that the entries name, or named before.
 * The caller is in a transaction and has called lockRegistry.
 */
export async function saveRegistryEntries(
  connection: Connection,
  lines: readonly RegistryLine[],
): Promise<SavedBatch> {
  const entries = lines.flatMap((line) => line.entries);
  const names = [...new Set(entries.map(({ serverName }) => serverName))];
  const before = await listingsNamedBy(connection, names);
  const stored = await saveEntries(connection, entries);
  const outcomes = outcomesOf(lines, stored);
  if (outcomes.every((outcome) => outcome === 'unchanged')) {
    return { outcomes, saved: [], due: [], dueByLineage: [] };
  }
  const after = await listingsNamedBy(connection, names);
  const listings = [...new Set([...before, ...after])];
  await lockSubjects(connection, listings);
  await announceListings(connection, listings);
  const consequences = await refreshPackages(connection, listings);
  return { outcomes, saved: [], dueByLineage: [], ...consequences };
}

/** Returns one outcome per line: a line is changed if one of its entries is, and added if one is new. */
function outcomesOf(
  lines: readonly RegistryLine[],
  stored: readonly ('added' | 'changed' | 'unchanged')[],
): RowOutcome[] {
  let from = 0;
  return lines.map(({ entries }) => {
    const own = new Set(stored.slice(from, from + entries.length));
    from += entries.length;
    if (own.has('added')) return 'added';
    return own.has('changed') ? 'changed' : 'unchanged';
  });
}
