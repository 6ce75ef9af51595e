import type { Connection } from '../../platform/database/connect.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { saveEntries } from './registry-entries.queries.ts';
import type { RegistryLine } from './registry-entry.ts';

/**
 * Stores a batch of lines with entries of the MCP registry. An entry that was updated later replaces an earlier one of
 * the same version, in any order of import. The caller is in a transaction and has called lockRegistry.
 */
export async function saveRegistryEntries(
  connection: Connection,
  lines: readonly RegistryLine[],
): Promise<SavedBatch> {
  const entries = lines.flatMap((line) => line.entries);
  const stored = await saveEntries(connection, entries);
  return { outcomes: outcomesOf(lines, stored), saved: [], due: [], dueByLineage: [] };
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
