import { inspect } from 'node:util';

/** Options of a table. */
export interface TableOptions {
  /** Rows checked at the same time, if their results do not depend on their order. One after another by default. */
  readonly concurrency?: number;
}

/**
 * Checks every row of a table, whichever rows fail, and then throws one error that lists each failing row with its error. Its
 * cause is the error of the first failing row. An empty table fails, because it would show nothing.
 */
export async function expectEveryRow<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  check: (row: T) => unknown,
  { concurrency = 1 }: TableOptions = {},
): Promise<void> {
  if (rows.length === 0) throw new Error('The table has no rows.');
  const failures = new Map<number, unknown>();
  const waiting = rows.entries();
  async function checkWaiting(): Promise<void> {
    for (const [index, row] of waiting) {
      try {
        await check(row);
      } catch (error) {
        failures.set(index, error);
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, checkWaiting));
  if (failures.size === 0) return;
  const lines = rows.flatMap((row, index) =>
    failures.has(index) ? [`- ${nameOf(row)}\n${indent(describeError(failures.get(index)))}`] : [],
  );
  const cause = failures.get(Math.min(...failures.keys()));
  throw new Error(`${failures.size} of ${rows.length} rows failed:\n${lines.join('\n')}`, { cause });
}

/** Returns the message of an error and, because assertions shorten their messages, the two values that differ. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${inspect(error)}`;
  const { message, actual, expected } = error as Error & { actual?: unknown; expected?: unknown };
  const isLong = [actual, expected].some((value) => typeof value === 'object' && value !== null);
  return isLong ? `${message}\nactual:   ${show(actual)}\nexpected: ${show(expected)}` : message;
}

const show = (value: unknown) => inspect(value, { depth: 6, breakLength: 100, maxStringLength: 500 });
const indent = (text: string) => text.replaceAll(/^/gm, '    ');
