import { isVisible, withoutTurns } from '../subjects/shown-name.ts';

/** A text of a host as we keep it: no control characters, no halves of characters, no blanks at its ends, not longer. */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  const plain = (text ?? '').toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ');
  const cut = [...plain.trim()].slice(0, maxLength).join('').trim();
  return cut === '' ? null : cut;
}

/** A name of a host's as we keep it: the same, without what turns the direction of text; null where nothing of it is seen. */
export function cleanName(text: string | null | undefined, maxLength: number): string | null {
  const name = cleanText(withoutTurns(text ?? ''), maxLength);
  return name !== null && isVisible(name) ? name : null;
}

/** A count that is a whole number of 0 or more; anything else is unknown. */
export function count(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** A moment as ISO 8601 UTC; what is none, or lies before computers counted time, is unknown. */
export function moment(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return time >= 0 && time < Date.UTC(10_000, 0) ? new Date(time).toISOString() : null;
}

/** An http or https address; anything else is unknown. */
export function link(text: string | null | undefined): string | null {
  const address = cleanText(text, 2_048);
  if (address === null || !URL.canParse(address)) return null;
  return ['http:', 'https:'].includes(new URL(address).protocol) ? address : null;
}

/** No profile is longer, in characters. */
const PROFILE_LENGTH = 65_536;

/**
 * The text of a piece of HTML, for looking for a code in its beginning: tags become blanks, the five basic references
 * are read.
 */
export function textOfHtml(html: string): string {
  return html
    .slice(0, PROFILE_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** Addresses that stand in a text. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']{1,500}/g) ?? [];
  return [...new Set(found)].slice(0, 20);
}
