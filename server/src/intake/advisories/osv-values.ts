/** An object of a record. Its members can have any type, because records are not trusted. */
export type OsvRecord = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, otherwise null. */
export function objectOf(value: unknown): OsvRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as OsvRecord) : null;
}

/** Returns the JSON objects among the values. */
export function objectsAmong(values: readonly unknown[]): OsvRecord[] {
  return values.map(objectOf).filter((each) => each !== null);
}

/** Returns the value if it is a list, otherwise an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the value if it is a text with a visible character, otherwise null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Returns a text without control characters other than line breaks, cut to a number of characters. */
export function cleanText(value: unknown, most: number): string {
  // Cuts first, because details can be long. Line breaks of Windows become shorter, and may leave fewer characters.
  const text = (textOf(value) ?? '').slice(0, most);
  return text
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .trim()
    .toWellFormed();
}

/** Returns a text in one line, cut to a number of characters. */
export function cleanLine(value: unknown, most: number): string {
  // Most names and versions are plain, and there are many of them.
  if (typeof value === 'string' && value.length <= most && /^[!-~]*$/.test(value)) return value;
  return cleanText(value, 2 * most)
    .replace(/\s+/gu, ' ')
    .slice(0, most)
    .toWellFormed();
}

/** Returns a time in ISO 8601; null if the value is none of the years 1 to 9999. */
export function timeOf(value: unknown): string | null {
  const text = textOf(value);
  if (text === null || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1 ? null : time.toISOString();
}

/** Returns the value if it is a web address of at most 2,000 characters, otherwise null. */
export function webAddressOf(value: unknown): string | null {
  const text = textOf(value)?.trim() ?? '';
  return /^https?:\/\/[!-~]+$/i.test(text) && text.length <= 2_000 && URL.canParse(text) ? text : null;
}
