/** From this number on the rule holds; what was there before is applied everywhere. */
const FIRST = '0060';

const MADE = /CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi;
const INDEX =
  /CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)"?\s+ON (?:ONLY )?"?(\w+)/gi;

/**
 * Indexes of a migration that keep everybody from writing to a table while they are made. On a table that may be large an index
 * is made CONCURRENTLY, in a migration that makes nothing but such.
 */
export function blockingIndexes(file: string, text: string): string[] {
  if (file < FIRST) return [];
  const [up = ''] = text.split(/^-- down[ \t]*$/m);
  const made = new Set([...up.matchAll(MADE)].map(([, table]) => table));
  const blocking = [...up.matchAll(INDEX)].filter(
    ([, concurrently, , table]) => !concurrently && !made.has(table),
  );
  return blocking.map(([, , index, table]) => `${file}: ${index} on ${table}`);
}
