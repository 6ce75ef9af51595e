/** An address that may stand in a link: http or https, in its parsed form. Null for anything else, escaped or not. */
export function safeHref(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
