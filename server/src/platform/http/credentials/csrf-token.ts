import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../errors/domain-error.ts';
import type { Credential } from './principal.ts';
import { isSameSecret } from './secret.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws csrf_failed unless a state-changing request with a session comes from one of our pages: Origin is ours, or
 * Sec-Fetch-Site is same-origin. Browsers attach the session cookie whichever page sends the request, but no page can
 * forge these headers. A request with neither header is refused.
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

/** Hidden form field with the token. */
export const FORM_TOKEN_FIELD = 'form_token';

/**
 * Derives the token of forms from the session. Other pages cannot know the token, and it is valid for this session
 * only.
 */
export function formToken(credential: Credential): string {
  return signFor(credential, 'form');
}

/** Signs a purpose with the session; only this server can compute the result. */
export function signFor({ hash }: Credential, purpose: string): string {
  return createHmac('sha256', hash).update(purpose).digest('base64url');
}

/** Throws csrf_failed unless the submitted form contains the session's token. */
export function requireFormToken(credential: Credential, form: FastifyRequest['body']): void {
  const given = form instanceof URLSearchParams ? (form.get(FORM_TOKEN_FIELD) ?? '') : '';
  if (isSameSecret(formToken(credential), given)) return;
  throw new DomainError('csrf_failed', 'The form has expired. Open the page again and send it from there.');
}
