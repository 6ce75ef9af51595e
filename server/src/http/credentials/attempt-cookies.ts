import type { FastifyReply, FastifyRequest } from 'fastify';
import { isWellFormedToken } from '../../callers/session-token.ts';
import { cookiesOf, cookieValue } from './credential.ts';
import { cookieOf } from './session-cookie.ts';

/** Tabs of one browser that may be away at a provider at once; one more, and the first of them is forgotten. */
export const MOST_ATTEMPTS = 5;

/** A cookie for each attempt, named by its state: the tabs of a browser do not take each other's attempts away. */
function nameOf(publicUrl: string, state: string): string {
  return `${publicUrl.startsWith('https:') ? '__Host-' : ''}sign-in-${state}`;
}

/** Hands the token of an attempt to sign in elsewhere to the browser that makes it, for some seconds. */
export function setAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
  attempt: { state: string; token: string; seconds: number },
): void {
  // Browsers send their cookies in the order of their making (RFC 6265, 5.4).
  const prefix = nameOf(publicUrl, '');
  const others = cookiesOf(request)
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name }) => name.slice(prefix.length))
    .filter(isWellFormedToken);
  for (const state of others.slice(0, -(MOST_ATTEMPTS - 1))) forget(reply, publicUrl, state);
  const cookie = cookieOf(publicUrl, nameOf(publicUrl, attempt.state), attempt.token);
  reply.header('Set-Cookie', `${cookie}; Max-Age=${attempt.seconds}`);
}

/** The token of this browser's own attempt of that state, which is then forgotten; null where it has none. Never log it. */
export function takeAttemptCookie(
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
