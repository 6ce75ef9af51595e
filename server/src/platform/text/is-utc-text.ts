const UTC_TEXT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
/** Length of what JavaScript and PostgreSQL write alike: up to the milliseconds. */
const COMMON_LENGTH = 23;

/**
 * Tests whether a text is a time as PostgreSQL's `utc_text` writes it. JavaScript rolls 30 February over to March, and
 * PostgreSQL rejects it with an error.
 */
export function isUtcText(text: string): boolean {
  const time = UTC_TEXT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return false;
  return new Date(time).toISOString().slice(0, COMMON_LENGTH) === text.slice(0, COMMON_LENGTH);
}
