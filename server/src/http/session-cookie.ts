import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieValue, sessionCookieName } from './credential.ts';

/** Over https a name that begins with `__Host-` and the flag together keep a cookie to this very host and to secure connections. */
function cookieOf(publicUrl: string, name: string, value: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Hands a session's token to the browser, for as long as it is open; no script can read it. */
export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.header('Set-Cookie', cookieOf(publicUrl, sessionCookieName(publicUrl), token));
}

/** Makes the browser forget its session. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.header('Set-Cookie', `${cookieOf(publicUrl, sessionCookieName(publicUrl), '')}; Max-Age=0`);
}

function attemptCookieName(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? '__Host-sign-in' : 'sign-in';
}

/** Hands the token of an attempt to sign in elsewhere to the browser that makes it, for some seconds. */
export function setAttemptCookie(
  reply: FastifyReply,
  publicUrl: string,
  token: string,
  seconds: number,
): void {
  reply.header(
    'Set-Cookie',
    `${cookieOf(publicUrl, attemptCookieName(publicUrl), token)}; Max-Age=${seconds}`,
  );
}

/** Makes the browser forget its attempt. */
export function clearAttemptCookie(reply: FastifyReply, publicUrl: string): void {
  reply.header('Set-Cookie', `${cookieOf(publicUrl, attemptCookieName(publicUrl), '')}; Max-Age=0`);
}

/** The token of the attempt that this browser is making; null where it makes none. Never log it. */
export function attemptToken(request: FastifyRequest, publicUrl: string): string | null {
  return cookieValue(request, attemptCookieName(publicUrl));
}
