import type { Connection } from '../../database/connect.ts';
import { countTotals, replaceTotals } from './totals.repository.ts';

/** Below this many rows a sum costs next to nothing. */
const ROWS_WORTH_FOLDING = 500;

/**
 * Folds the kept differences into one row per kind of listing and answers how many rows went. Anyone who reads or changes
 * totals meanwhile sees them before or after, never between.
 */
export async function foldTotals(connection: Connection): Promise<number> {
  return (await countTotals(connection)) < ROWS_WORTH_FOLDING ? 0 : replaceTotals(connection);
}
