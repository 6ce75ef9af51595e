import { isVisible, withoutBidiControls } from '../platform/text/valid-name.ts';

/**
 * Normalises a host's text for storage: removes control characters and lone surrogates, trims, truncates. Returns null
 * for a missing or empty text.
 */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  const plain = (text ?? '').toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ');
  const cut = [...plain.trim()].slice(0, maxLength).join('').trim();
  return cut === '' ? null : cut;
}

/** Normalises a name like `cleanText` and removes bidirectional controls. Returns null if nothing visible remains. */
export function cleanName(text: string | null | undefined, maxLength: number): string | null {
  const name = cleanText(withoutBidiControls(text ?? ''), maxLength);
  return name !== null && isVisible(name) ? name : null;
}

/** Returns a non-negative integer; null for anything else. */
export function cleanCount(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** Returns a time as ISO 8601 UTC; null if it is invalid or before 1970. */
export function cleanTime(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return time >= 0 && time < Date.UTC(10_000, 0) ? new Date(time).toISOString() : null;
}

/** Returns an http or https URL, truncated to 2,048 characters; null for anything else. */
export function cleanUrl(text: string | null | undefined): string | null {
  const address = cleanText(text, 2_048);
  if (address === null || !URL.canParse(address)) return null;
  return ['http:', 'https:'].includes(new URL(address).protocol) ? address : null;
}

/** Maximum length of a profile in characters. */
const PROFILE_LENGTH = 65_536;

/**
 * Extracts the text from the beginning of an HTML page, to search it for a code. Replaces tags by spaces, and decodes
 * the five basic entities.
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

/** Extracts the first 20 different URLs in a text. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']{1,500}/g) ?? [];
  return [...new Set(found)].slice(0, 20);
}
