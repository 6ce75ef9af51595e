/**
 * What a name, a display name or a tag looks like: one visible character at least (a letter, digit or sign that is not drawn
 * as a blank), no control character, and none that turns the direction of text, with which a name could pass for another.
 */
export const SHOWN_NAME =
  '^[^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*(?![\\u115F\\u1160\\u2800\\u3164\\uFFA0])[\\p{L}\\p{N}\\p{P}\\p{S}][^\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*$';
/** The same in words, after "needs". */
export const SHOWN_NAME_RULE =
  'at least one visible character, and none that controls text or turns its direction';

const SHOWN = new RegExp(SHOWN_NAME, 'u');
const VISIBLE = /(?![\u115F\u1160\u2800\u3164\uFFA0])[\p{L}\p{N}\p{P}\p{S}]/u;

/** True for a text that may be a name. */
export function isShownName(text: string): boolean {
  return SHOWN.test(text);
}

/** True where a reader would see anything of a text. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

/** A text without the characters that turn the direction of what follows them. */
export function withoutTurns(text: string): string {
  return text.replace(/\p{Bidi_Control}/gu, '');
}
