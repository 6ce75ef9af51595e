/** From this number on the rule holds; what was there before is applied everywhere. */
const FIRST = '0060';

const MADE = /CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi;
const INDEX = /CREATE (?:UNIQUE )?INDEX (IF NOT EXISTS )?"?(\w+)"?\s+ON (?:ONLY )?"?(\w+)/gi;

/**
 * Indexes of a migration that nobody can make beforehand. One on a table that may be large keeps everybody from writing while it
 * is made: with IF NOT EXISTS an operator makes it CONCURRENTLY before the upgrade, and the migration finds it.
 */
export function blockingIndexes(file: string, text: string): string[] {
  if (file < FIRST) return [];
  const [up = ''] = text.split(/^-- down[ \t]*$/m);
  const made = new Set([...up.matchAll(MADE)].map(([, table]) => table));
  const blocking = [...up.matchAll(INDEX)].filter(([, optional, , table]) => !optional && !made.has(table));
  return blocking.map(([, , index, table]) => `${file}: ${index} on ${table}`);
}
