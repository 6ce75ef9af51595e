import type { FastifyRequest } from 'fastify';
import { credentialError } from '../../callers/credential-errors.ts';
import type { Credential } from '../../callers/principal.ts';
import { hashSecret, isWellFormedSecret } from '../../callers/secret.ts';
import { isWellFormedToken } from '../../callers/session-token.ts';

/**
 * The cookie that holds a session's token. Under https its name makes browsers keep it to this host alone, over a secure
 * connection only.
 */
export function sessionCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-sid' : 'sid';
}

/** The bearer token of a request as it was sent; null when there is none. Never log it. */
function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = /^Bearer +(\S+) *$/i.exec(header ?? '');
  return match?.[1] ?? null;
}

/** The value of a cookie as it was sent, the first of that name; null when there is none. Never log it. */
export function cookieValue(request: FastifyRequest, name: string): string | null {
  return cookiesOf(request).find((cookie) => cookie.name === name)?.value ?? null;
}

/** All cookies of a request, in the order in which they were sent. Never log them. */
export function cookiesOf(request: FastifyRequest): { name: string; value: string }[] {
  return (request.headers.cookie ?? '').split(';').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return { name: name.trim(), value: value.join('=').trim() };
  });
}

/** Whether this request is judged by its Authorization header: it wins over a cookie wherever a key is taken. */
function usesKey(request: FastifyRequest, schemes: readonly string[], cookieName: string): boolean {
  if (!schemes.includes('session')) return true;
  if (!schemes.includes('accessKey')) return false;
  return request.headers.authorization !== undefined || cookieValue(request, cookieName) === null;
}

/** What a credential must look like before anybody is asked whose it is. */
type CredentialShapes = Readonly<Record<Credential['kind'], (text: string) => boolean>>;

const ISSUED: CredentialShapes = { key: isWellFormedSecret, session: isWellFormedToken };

/**
 * What the request presents to a route of these schemes, as a hash, where its shape (and a key's checksum) holds; else
 * null. No database is asked.
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

/** The same, but a missing or malformed credential is a 401. */
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
