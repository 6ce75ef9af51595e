import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser sends the session's cookie along no matter who made it send the request. So whatever changes state with a session
 * has to show that one of our own pages sent it: Origin is ours, or Sec-Fetch-Site says that no other site is involved.
 * No page can forge either; a request with neither is refused. Throws csrf_failed.
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
