import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import { type Credential, credentialError } from './principal.ts';
import { hashSecret, isSameSecret, isWellFormedSecret, isWellFormedToken } from './secret.ts';

/**
 * Returns the name of the session cookie. With https, the name's prefix restricts the cookie to this host and to
 * secure connections.
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-sid' : 'sid';
}

/** Returns the bearer token of a request; null if there is none. Never log it. */
function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** Returns the value of the first cookie with a name; null if there is none. Never log it. */
export function cookieValue(request: FastifyRequest, name: string): string | null {
  return cookiesOf(request).find((cookie) => cookie.name === name)?.value ?? null;
}

/** Parses all cookies of a request, in the order they were sent. Never log them. */
export function cookiesOf(request: FastifyRequest): { name: string; value: string }[] {
  return (request.headers.cookie ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name: name.trim(), value: value.join('=').trim() };
  });
}

/**
 * Returns true if the Authorization header must authenticate the request, false if the session cookie must. If the
 * route accepts keys and sessions, the header wins over a cookie.
 */
function usesKey(request: FastifyRequest, schemes: readonly string[], cookieName: string): boolean {
  if (!schemes.includes('session')) return true;
  if (!schemes.includes('accessKey')) return false;
  return request.headers.authorization !== undefined || cookieValue(request, cookieName) === null;
}

/** Format checks of a credential before it is looked up. */
type CredentialShapes = Readonly<Record<Credential['kind'], (text: string) => boolean>>;

const ISSUED: CredentialShapes = { key: isWellFormedSecret, session: isWellFormedToken };

/**
 * Returns the hash of the request's credential if the format (and a key's checksum) is valid; otherwise null. Does not
 * access the database.
 */
export function presentedCredential(
  request: FastifyRequest,
  schemes: readonly string[],
  cookieName: string,
  shapes = ISSUED,
): Credential | null {
  const kind = usesKey(request, schemes, cookieName) ? 'key' : 'session';
  const token = kind === 'key' ? bearerToken(request) : cookieValue(request, cookieName);
  return token !== null && shapes[kind](token) ? { kind, hash: hashSecret(token) } : null;
}

/** Returns the request's credential; throws 401 if it is missing or malformed. */
export function requireCredential(
  request: FastifyRequest,
  schemes: readonly string[],
  cookieName: string,
  shapes = ISSUED,
): Credential {
  const credential = presentedCredential(request, schemes, cookieName, shapes);
  if (credential) return credential;
  const hasHeader = request.headers.authorization !== undefined;
  if (usesKey(request, schemes, cookieName)) {
    throw hasHeader ? credentialError.unknown() : credentialError.missing();
  }
  if (cookieValue(request, cookieName) !== null) throw credentialError.sessionEnded();
  throw hasHeader ? credentialError.keyNotTaken() : credentialError.notSignedIn();
}

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws csrf_failed unless a state-changing request with a session comes from one of our pages (Origin is ours, or
 * Sec-Fetch-Site is same-origin) or from the user directly (no Origin, and Sec-Fetch-Site is none). Browsers attach
 * the session cookie to requests from any page, but no page can forge these headers. A request with neither header is
 * refused.
 */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === publicUrl || site === 'same-origin') return;
  if (origin === undefined && site === 'none') return;
  throw new DomainError(
    'csrf_failed',
    `A request with a session must come from a page of ${publicUrl} (Origin or Sec-Fetch-Site says so). Programs use an access key.`,
  );
}

/** Name of the hidden form field with the form token. */
export const FORM_TOKEN_FIELD = 'form_token';

/**
 * Derives the form token from a session. Pages of other sites cannot know the token, and it is valid for this session
 * only.
 */
export function formToken(credential: Credential): string {
  return signFor(credential, 'form');
}

/**
 * Signs a purpose with the hash of the session's token. Without the token or its hash, the result cannot be computed.
 */
export function signFor({ hash }: Credential, purpose: string): string {
  return createHmac('sha256', hash).update(purpose).digest('base64url');
}

/** Throws csrf_failed unless the submitted form contains the form token of the session. */
export function requireFormToken(credential: Credential, form: FastifyRequest['body']): void {
  const given = form instanceof URLSearchParams ? (form.get(FORM_TOKEN_FIELD) ?? '') : '';
  if (isSameSecret(formToken(credential), given)) return;
  throw new DomainError('csrf_failed', 'The form has expired. Open the page again and send it from there.');
}
