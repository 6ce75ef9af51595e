const LONGEST = 2_000;

/** Where a person is led who does not say where to. */
export const CONSOLE = '/console';
/** Where a person is led first who has no creator handle yet. */
export const CHOOSE_HANDLE = '/console/handle';

/**
 * An address's path on this site, as a browser would read it, with its query; null for everything that could lead
 * elsewhere (`//other.example`, `/\other.example`, a tab in between) and for what is no path of ours at all.
 */
export function ownPath(text: unknown, publicUrl: string): string | null {
  if (typeof text !== 'string' || !/^\/(?![/\\])/.test(text) || text.length > LONGEST) return null;
  const url = URL.parse(text, publicUrl);
  if (url?.origin !== publicUrl) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return /^\/(?![/\\])/.test(path) && path.length <= LONGEST ? path : null;
}

/**
 * Where a person wants to be after signing in: an own path, and not that of a sign-in or sign-out, which would lead around
 * in a circle. Null for everything else.
 */
export function nextPath(given: unknown, publicUrl: string): string | null {
  const path = ownPath(given, publicUrl);
  return path !== null && /^\/sign-(in|out)(?![\w-])/.test(path) ? null : path;
}

/** A page's address that carries where the person wants to be afterwards, unless that is where it leads anyway. */
export function withNext(page: string, next: string | null): string {
  return next === null || next === CONSOLE ? page : `${page}?next=${encodeURIComponent(next)}`;
}

/** The page that asks for a handle, on the way to another one. */
export function choosingHandle(next: string | null): string {
  return next !== null && isPage(next, CHOOSE_HANDLE) ? next : withNext(CHOOSE_HANDLE, next);
}

/** Whether an own path leads to this page, whatever it asks of it. */
export function isPage(path: string, page: string): boolean {
  return path.split(/[?#]/)[0] === page;
}
