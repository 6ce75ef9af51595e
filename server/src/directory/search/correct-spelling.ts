import type { Connection } from '../../platform/database/connect.ts';
import { suggestSpelling } from '../lists/relax-query.ts';

/**
 * Returns the text with its typing errors corrected: the nearest name, or each unknown word replaced by the nearest
 * word of a name or tag. Null if nothing is near.
 */
export function correctSpelling(connection: Connection, text: string): Promise<string | null> {
  return suggestSpelling(connection, text);
}
