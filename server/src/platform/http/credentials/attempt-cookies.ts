import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, cookieValue, sessionCookieName } from './credential.ts';
import { isWellFormedToken } from './secret.ts';

/** Maximum concurrent sign-in attempts per browser. Another attempt drops the oldest one. */
export const MAX_ATTEMPTS = 5;

/**
 * Returns the name of the cookie of a sign-in attempt. It contains the attempt's state, so that tabs of one browser do
 * not overwrite each other's attempts.
 */
function nameOf(publicUrl: string, state: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}sign-in-${state}`;
}

/** Stores the token of a sign-in attempt in the browser for `seconds`. */
export function setAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  attempt: { state: string; token: string; seconds: number },
): void {
  // Browsers send cookies in the order of creation (RFC 6265, 5.4), so the first ones are the oldest.
  const prefix = nameOf(publicUrl, '');
  const others = cookiesOf(request)
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name }) => name.slice(prefix.length))
    .filter(isWellFormedToken);
  for (const state of others.slice(0, -(MAX_ATTEMPTS - 1))) forget(reply, publicUrl, state);
  const cookie = cookieOf(publicUrl, nameOf(publicUrl, attempt.state), attempt.token);
  reply.header('Set-Cookie', `${cookie}; Max-Age=${attempt.seconds}`);
}

/**
 * Returns the browser's token for the sign-in attempt with this state, and deletes the cookie. Returns null if there
 * is none. Never log the token.
 */
export function consumeAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  state: string | null,
): string | null {
  if (state === null || !isWellFormedToken(state)) return null;
  const token = cookieValue(request, nameOf(publicUrl, state));
  if (token !== null) forget(reply, publicUrl, state);
  return token;
}

function forget(reply: FastifyReply, publicUrl: string, state: string): void {
  reply.header('Set-Cookie', `${cookieOf(publicUrl, nameOf(publicUrl, state), '')}; Max-Age=0`);
}

/**
 * Formats a cookie for the whole site. Over https, the `__Host-` prefix and Secure restrict the cookie to this host
 * and to secure connections.
 */
function cookieOf(publicUrl: string, name: string, value: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Stores a session's token in a cookie until the browser is closed; scripts cannot read the cookie. */
export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.header('Set-Cookie', cookieOf(publicUrl, sessionCookieName(publicUrl), token));
}

/** Deletes the session cookie. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.header('Set-Cookie', `${cookieOf(publicUrl, sessionCookieName(publicUrl), '')}; Max-Age=0`);
}
