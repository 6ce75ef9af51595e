import type { FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.ts';

const LONGEST = 2_000;

/** Default page after signing in. */
export const CONSOLE = '/console';
/** First page for a person whose account has no handle yet. */
export const CHOOSE_HANDLE = '/console/handle';

/**
 * Returns the path, query and fragment of an address on this site, as a browser would understand it. Returns null for
 * anything that could lead to another site (`//other.example`, `/\other.example`, an embedded tab) or is not a path of
 * this site.
 */
export function pathOnThisSite(text: unknown, publicUrl: string): string | null {
  if (typeof text !== 'string' || !/^\/(?![/\\])/.test(text) || text.length > LONGEST) return null;
  const url = URL.parse(text, publicUrl);
  if (url?.origin !== publicUrl) return null;
  const path = `${url.pathname}${url.search}${url.hash}`;
  return /^\/(?![/\\])/.test(path) && path.length <= LONGEST ? path : null;
}

/**
 * Returns the path at which to continue after signing in. Returns null if it is not on this site, or if it is a
 * sign-in or sign-out page, which would cause a redirect loop.
 */
export function nextPath(given: unknown, publicUrl: string): string | null {
  const path = pathOnThisSite(given, publicUrl);
  return path !== null && /^\/sign-(in|out)(?![\w-])/.test(path) ? null : path;
}

/**
 * Returns a page's address with the path at which to continue as `next`; without `next` if the path is null or the
 * default.
 */
export function withNext(page: string, next: string | null): string {
  return next === null || next === CONSOLE ? page : `${page}?next=${encodeURIComponent(next)}`;
}

/** Returns the address of the page that asks for a handle before continuing. */
export function chooseHandlePath(next: string | null): string {
  return next !== null && isPage(next, CHOOSE_HANDLE) ? next : withNext(CHOOSE_HANDLE, next);
}

/** Returns true if a path leads to this page. Ignores the query and the fragment. */
export function isPage(path: string, page: string): boolean {
  return path.split(/[?#]/)[0] === page;
}

/** Creates the failure for an address that cannot be decoded. */
export function malformedEscape(): DomainError {
  return new DomainError(
    'invalid_request',
    'The address has a % that stands for no character. Correct it; the character % itself is written %25.',
  );
}

/** Returns the path of a URL without its query. */
export function pathOf(url: string): string {
  return url.split('?')[0] ?? '';
}

/** Returns true if a request explicitly accepts HTML, as browsers do. Programs accept JSON or any type. */
export function acceptsHtml({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const wanted = (headers.accept ?? '').split(',').map((each) => each.split(';').map((part) => part.trim()));
  return wanted.some(
    ([type, ...details]) =>
      type?.toLowerCase() === 'text/html' && !details.some((detail) => /^q=0(\.0*)?$/i.test(detail)),
  );
}
