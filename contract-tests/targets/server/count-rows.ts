import type { Database } from '../../../server/src/platform/database/connect.ts';

/** Counts the rows of every table, to show that a request has written nothing. */
export async function countRows({ query }: Database): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  const counts = tables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS rows FROM "${name}"`);
  const rows = await query<{ name: string; rows: number }>(counts.join(' UNION ALL '));
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
}
