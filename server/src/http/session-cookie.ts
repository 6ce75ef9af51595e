import type { FastifyReply } from 'fastify';
import { sessionCookieName } from './credential.ts';

/** Over https the name and the flag together keep the cookie to this very host and to secure connections. */
function cookieOf(publicUrl: string, value: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${sessionCookieName(publicUrl)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Hands a session's token to the browser, for as long as it is open; no script can read it. */
export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.header('Set-Cookie', cookieOf(publicUrl, token));
}

/** Makes the browser forget its session. */
export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.header('Set-Cookie', `${cookieOf(publicUrl, '')}; Max-Age=0`);
}
