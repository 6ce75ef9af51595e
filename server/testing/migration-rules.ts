const MADE = /CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/gi;
const INDEX =
  /CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?"?(\w+)"?\s+ON (?:ONLY )?"?(\w+)/gi;

/**
 * Lists the indexes of a migration that block writes to a table while they are created. On a table that may be large,
 * create the index CONCURRENTLY, in a migration that contains nothing else.
 */
export function blockingIndexes(file: string, text: string): string[] {
  const [up = ''] = text.split(/^-- down[ \t]*$/m);
  const made = new Set([...up.matchAll(MADE)].map(([, table]) => table));
  const blocking = [...up.matchAll(INDEX)].filter(
    ([, concurrently, , table]) => !concurrently && !made.has(table),
  );
  return blocking.map(([, , index, table]) => `${file}: ${index} on ${table}`);
}
