import { InvalidArgumentError } from 'commander';
import { print } from './with-database.ts';

const LARGEST = 1_000_000_000;

/** Parses a whole number from 1 to a billion. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST}.`);
  }
  return value;
}

/** Parses a whole number other than 0, from minus to plus a billion. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number other than 0, from -${LARGEST} to ${LARGEST}.`);
  }
  return value;
}

/** Prints rows as aligned columns with a header. */
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
