import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Credential } from '../../callers/principal.ts';
import { isSameSecret } from '../../callers/secret.ts';
import { DomainError } from '../../domain-error.ts';

/** The hidden field that holds the token in every form of a signed-in page. */
export const FORM_TOKEN_FIELD = 'form_token';

/**
 * What a form of a signed-in page carries beside the same-origin proof: made from the session that the page was shown to,
 * so that no other page can know it, and of no use once the session has ended.
 */
export function formToken(credential: Credential): string {
  return signFor(credential, 'form');
}

/** A text that only this server can make, for one purpose of one session. */
export function signFor({ hash }: Credential, purpose: string): string {
  return createHmac('sha256', hash).update(purpose).digest('base64url');
}

/** Throws csrf_failed unless the form that was sent carries the token of this session. */
export function requireFormToken(credential: Credential, form: FastifyRequest['body']): void {
  const given = form instanceof URLSearchParams ? (form.get(FORM_TOKEN_FIELD) ?? '') : '';
  if (isSameSecret(formToken(credential), given)) return;
  throw new DomainError('csrf_failed', 'The form has expired. Open the page again and send it from there.');
}
