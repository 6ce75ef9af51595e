import type pg from 'pg';
import type { Sequence, TablePart } from './export-file.ts';

/**
 * Tables excluded from an export. The head lists the migrations, and applying them fills their table. Changes have
 * transaction ids, which mean nothing in another cluster.
 */
const EXCLUDED: readonly string[] = ['schema_migration', 'change', 'change_watermark'];

/** Tables that migrations fill, so that an empty database has rows in them too. */
const SEEDED: readonly string[] = ['standing_look'];

/**
 * Lists the tables with their stored columns; a referenced table precedes those that refer to it. Leaves out generated
 * columns. A partitioned table counts as one table.
 */
export async function listTables(client: pg.Client): Promise<TablePart[]> {
  const { rows } = await client.query<TablePart & { refers: string[] }>(
    `SELECT c.relname AS table,
       (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       (SELECT coalesce(json_agg(DISTINCT r.relname), '[]') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conparentid = 0 AND f.confrelid <> c.oid) AS refers
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1)
     ORDER BY c.relname`,
    [EXCLUDED],
  );
  const ordered: TablePart[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ table, refers }) => !placed.has(table) && refers.every((name) => placed.has(name)),
    );
    if (next.length === 0)
      throw new Error('The foreign keys of the tables form a cycle: no order can restore them.');
    for (const { table, columns } of next) {
      placed.add(table);
      ordered.push({ table, columns });
    }
  }
  return ordered;
}

/** Reads the position of each sequence. The position may be ahead of the snapshot's rows, but never behind. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY relname",
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${quoteIdentifier(name)}`,
    );
    for (const { value, called } of found.rows) sequences.push({ name, value, called });
  }
  return sequences;
}

/** Lists the tables that have rows, except those that migrations inserted. */
export async function filledTables(client: pg.Client, tables: readonly TablePart[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of tables) {
    if (SEEDED.includes(table)) continue;
    const { rows } = await client.query(`SELECT FROM ${quoteIdentifier(table)} LIMIT 1`);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

/** Deletes the rows that migrations inserted, because the export contains them. */
export async function deleteSeededRows(client: pg.Client): Promise<void> {
  for (const table of SEEDED) {
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      quoteIdentifier(table),
    ]);
    if (rows[0]?.there) await client.query(`DELETE FROM ${quoteIdentifier(table)}`);
  }
}

/** Quotes an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQL that makes the text of values independent of the database's own settings. */
export const PORTABLE_VALUE_FORMAT =
  "SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC'; " +
  "SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'";
