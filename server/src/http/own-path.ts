const LONGEST = 2_000;

/**
 * An address's path on this very site, as a browser would read it, with its query; null for everything that could lead
 * elsewhere (`//other.example`, `/\other.example`, a tab in between) and for what is no path of ours at all.
 */
export function ownPath(text: unknown, publicUrl: string): string | null {
  if (typeof text !== 'string' || !/^\/(?![/\\])/.test(text) || text.length > LONGEST) return null;
  const url = URL.parse(text, publicUrl);
  if (url?.origin !== publicUrl) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return /^\/(?![/\\])/.test(path) && path.length <= LONGEST ? path : null;
}
