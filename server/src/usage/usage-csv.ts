import type { Connection } from '../database/connect.ts';
import { requireDays } from '../plans/days.ts';
import { csvLine } from './csv-line.ts';
import type { UsageFilter, UsageRow } from './usage.ts';
import { usageStretches } from './usage-stretches.ts';

/** The columns, in their order: what reads the file may rely on both. New ones are added at the end. */
const COLUMNS: readonly (readonly [name: string, cell: (row: UsageRow) => string | number | null])[] = [
  ['day', ({ day }) => day],
  ['operation', ({ operation }) => operation],
  ['api_key_id', ({ keyId }) => keyId],
  ['api_key_name', ({ keyName }) => keyName],
  ['charge_source', ({ source }) => source],
  ['period_start', ({ periodFrom }) => periodFrom],
  ['period_end', ({ periodTo }) => periodTo],
  ['unit', ({ unit }) => unit],
  ['settled_calls', ({ settledCalls }) => settledCalls],
  ['failed_calls', ({ failedCalls }) => failedCalls],
  ['held_calls', ({ heldCalls }) => heldCalls],
  ['used', ({ used }) => used],
  ['held', ({ held }) => held],
];

/**
 * An account's usage as CSV (RFC 4180: a line of column names, CRLF), latest day first, in pieces of at most a month,
 * shorter where it is full: a year of it is never held whole. The first piece is the line of names. Throws invalid_request for days that are none.
 */
export async function* usageCsv(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
): AsyncGenerator<string, void, void> {
  requireDays(filter);
  yield csvLine(COLUMNS.map(([name]) => name));
  for await (const { rows } of usageStretches(connection, accountId, filter, null)) {
    yield rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join('');
  }
}

/** The same, once its first rows are read: a database that is away is an error, not a file that breaks off at once. */
export async function startedUsageCsv(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
): Promise<AsyncIterable<string>> {
  const pieces = usageCsv(connection, accountId, filter);
  const first = [await pieces.next(), await pieces.next()];
  async function* all() {
    for (const { value } of first) if (value) yield value;
    yield* pieces;
  }
  return all();
}
