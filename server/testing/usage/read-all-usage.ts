import type { Connection } from '../../src/database/connect.ts';
import { readUsage, type UsagePage } from '../../src/usage/read-usage.ts';
import { ALL_USAGE, type UsageFilter, type UsageRow } from '../../src/usage/usage.ts';
import { usageCsv } from '../../src/usage/usage-csv.ts';

/** All rows of an account's usage, read in pages of so many. */
export async function readAllUsage(
  connection: Connection,
  accountId: string,
  filter: Partial<UsageFilter> = {},
  limit = 100,
): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  let cursor: string | null = null;
  do {
    const page: UsagePage = await readUsage(connection, accountId, {
      ...ALL_USAGE,
      ...filter,
      cursor,
      limit,
    });
    rows.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** The lines of an account's usage as CSV, without that of the names. */
export async function readCsvLines(connection: Connection, accountId: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of usageCsv(connection, accountId, ALL_USAGE)) pieces.push(piece);
  return pieces.join('').split('\r\n').slice(1, -1);
}
