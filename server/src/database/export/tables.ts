import type pg from 'pg';
import type { Sequence, TableNote } from './export-file.ts';

/** Which migrations were applied is stated in an export's head, and made anew by applying them. */
const BOOKKEEPING = 'schema_migration';

/** Rows that migrations themselves put there: an empty database has them too. */
const SEEDED: readonly string[] = ['standing_look'];

/**
 * The tables with what is stored in their columns, those that others refer to before these. What a column computes is left
 * out, and a table in parts is one.
 */
export async function listTables(client: pg.Client): Promise<TableNote[]> {
  const { rows } = await client.query<TableNote & { refers: string[] }>(
    `SELECT c.relname AS table,
       (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       (SELECT coalesce(json_agg(DISTINCT r.relname), '[]') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conparentid = 0 AND f.confrelid <> c.oid) AS refers
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> $1
     ORDER BY c.relname`,
    [BOOKKEEPING],
  );
  const ordered: TableNote[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ table, refers }) => !placed.has(table) && refers.every((name) => placed.has(name)),
    );
    if (next.length === 0) throw new Error('Tables refer to each other in a circle: no order restores them.');
    for (const { table, columns } of next) {
      placed.add(table);
      ordered.push({ table, columns });
    }
  }
  return ordered;
}

/** Where each sequence stands. It may be ahead of a snapshot's rows, and never behind. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY relname",
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${quoted(name)}`,
    );
    for (const { value, called } of found.rows) sequences.push({ name, value, called });
  }
  return sequences;
}

/** The tables that hold more than what migrations put there. */
export async function filledTables(client: pg.Client, tables: readonly TableNote[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of tables) {
    if (SEEDED.includes(table)) continue;
    const { rows } = await client.query(`SELECT FROM ${quoted(table)} LIMIT 1`);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

/** Takes away what migrations put there: an export brings it too. */
export async function emptySeeded(client: pg.Client): Promise<void> {
  for (const table of SEEDED) {
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      quoted(table),
    ]);
    if (rows[0]?.there) await client.query(`DELETE FROM ${quoted(table)}`);
  }
}

/** A name as PostgreSQL takes any. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Values are written and read alike, whatever the database's own settings are. */
export const PLAIN_VALUES =
  "SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC'; " +
  "SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'";
