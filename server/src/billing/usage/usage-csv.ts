import { requireDays } from '../../access/plans/days.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type UsageFilter, type UsageRow, usageRanges } from './usage-by-day.ts';

/**
 * Matches the start of a spreadsheet formula in a field, also after spaces or quotes, and in full-width characters of
 * East Asian keyboards. Depending on its locale, a spreadsheet may split the field at `;`, a tab or a line break, so a
 * formula may also begin there.
 */
const FORMULA = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s'"])*[=+\-@＝＋－＠])/g;

/**
 * Matches characters that require double quotes around a field: the separators of this file (`,`) and of some locales
 * (`;`), quotes, and whitespace that spreadsheets trim.
 */
const QUOTED = /[",;\s']/;

/**
 * Formats one line of CSV (RFC 4180) with its line break. Null becomes an empty field; text that looks like a formula
 * gets a leading apostrophe.
 */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA, "$1'$2");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns in order; consumers may rely on names and order. Append new ones at the end. */
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
 * Streams an account's usage as CSV (RFC 4180: header line, CRLF), latest day first. Each chunk covers at most a
 * month, so that a year is never in memory at once. The first chunk is the header line. Throws invalid_request for
 * invalid days.
 */
export async function* usageCsv(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
): AsyncGenerator<string, void, void> {
  requireDays(filter);
  yield csvLine(COLUMNS.map(([name]) => name));
  for await (const { rows } of usageRanges(connection, accountId, filter, null)) {
    yield rows.map((row) => csvLine(COLUMNS.map(([, cell]) => cell(row)))).join('');
  }
}

/**
 * Returns the CSV stream once its first rows are read, so that an unreachable database causes an error response
 * instead of a truncated file.
 */
export async function openUsageCsv(
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
