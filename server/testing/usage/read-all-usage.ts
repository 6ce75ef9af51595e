import { readUsage, type UsagePage } from '../../src/billing/usage/read-usage.ts';
import { ALL_USAGE, type UsageFilter, type UsageRow } from '../../src/billing/usage/usage-by-day.ts';
import { usageCsv } from '../../src/billing/usage/usage-csv.ts';
import type { Connection } from '../../src/platform/database/connect.ts';

/** Reads all rows of an account's usage in pages of the given size. */
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

/** Reads the lines of an account's usage as CSV, without the header. */
export async function readCsvLines(connection: Connection, accountId: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of usageCsv(connection, accountId, ALL_USAGE)) pieces.push(piece);
  return pieces.join('').split('\r\n').slice(1, -1);
}
