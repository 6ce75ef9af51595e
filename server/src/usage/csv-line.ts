/**
 * What a spreadsheet takes for the beginning of a formula, also behind spaces or quotes, and in the wide letters of
 * East Asian keyboards. A cell begins with the field, and inside of it where another country's spreadsheet splits it.
 */
const FORMULA = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s'"])*[=+\-@＝＋－＠])/g;

/** Separators of this file and of those that some countries' spreadsheets expect, quotes, and what they trim. */
const QUOTED = /[",;\s']/;

/** One line of CSV (RFC 4180) with its end. Null is an empty field; text that is a formula gets an apostrophe before it. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(csvField).join(',')}\r\n`;
}

function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA, "$1'$2");
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
