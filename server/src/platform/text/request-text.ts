/**
 * Pattern for names, display names and tags. It requires at least one visible character: a letter, digit or sign that
 * is not drawn as a blank. It forbids control characters, and bidirectional controls, which could disguise one name as
 * another.
 */
export const NAME_PATTERN =
  '^[^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*(?![\\u115F\\u1160\\u2800\\u3164\\uFFA0])[\\p{L}\\p{N}\\p{P}\\p{S}][^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*$';
/** Text of the rule for names, to follow "needs" in a message. */
export const NAME_RULE = 'at least one visible character, and none that controls text or turns its direction';

const SHOWN = new RegExp(NAME_PATTERN, 'u');
const VISIBLE = /(?![\u115F\u1160\u2800\u3164\uFFA0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns true if the text is valid as a name. */
export function isValidName(text: string): boolean {
  return SHOWN.test(text);
}

/** Returns true if the text has a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** Removes bidirectional control characters. */
export function withoutBidiControls(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}

const UTC_TEXT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
/** Length of the part of a time that JavaScript and PostgreSQL format equally: up to the milliseconds. */
const COMMON_LENGTH = 23;

/**
 * Tests whether a text is a time as PostgreSQL's `utc_text` writes it. Rejects days such as 30 February, which
 * JavaScript would roll over to March, and for which PostgreSQL would raise an error.
 */
export function isUtcText(text: string): boolean {
  const time = UTC_TEXT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return false;
  return new Date(time).toISOString().slice(0, COMMON_LENGTH) === text.slice(0, COMMON_LENGTH);
}

/** Maximum names in a message, because a request can contain thousands. */
const MOST_NAMED = 10;

/** Quotes and shortens a name from a request, so that a message can safely repeat it. */
export function printable(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** Lists the first ten names from a request, and the number of the remaining ones. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(printable).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
