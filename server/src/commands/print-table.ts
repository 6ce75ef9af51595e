import { print } from './with-database.ts';

/** Prints rows as columns of text under their names. */
export function printTable(rows: Record<string, string | number | null>[]): void {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
