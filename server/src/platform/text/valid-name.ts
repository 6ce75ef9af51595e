/**
 * Pattern for names, display names and tags. It requires at least one visible character: a letter, digit or sign that
 * is not drawn as a blank. It forbids control characters, and bidirectional controls, which could disguise one name as
 * another.
 */
export const NAME_PATTERN =
  '^[^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*(?![\\u115F\\u1160\\u2800\\u3164\\uFFA0])[\\p{L}\\p{N}\\p{P}\\p{S}][^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*$';
/** Text of the rule, to follow "needs" in a message. */
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
