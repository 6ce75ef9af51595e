import type { FastifyReply } from 'fastify';
import { sessionCookieName } from './credential.ts';

/** A cookie for the whole site. Over https a name that begins with `__Host-` and the flag together keep a cookie to this host alone and to secure connections. */
export function cookieOf(publicUrl: string, name: string, value: string): string {
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
