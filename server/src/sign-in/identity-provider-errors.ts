import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { OutboundFailure } from '../outbound/outbound-failure.ts';
import { SignInFailure, type SignInFailureKind } from './sign-in-failure.ts';

/** Codes with which a provider sends a browser back (RFC 6749, 4.1.2.1; OpenID Connect Core, 3.1.2.6). */
const FROM_AUTHORIZATION = new Map<string, SignInFailureKind>([
  ['access_denied', 'denied'],
  ['login_required', 'denied'],
  ['interaction_required', 'denied'],
  ['consent_required', 'denied'],
  ['account_selection_required', 'denied'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
]);

/** An answer that is none of the protocol's: an error page, a redirect, broken JSON. */
const UNUSABLE: ReadonlySet<string> = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_TIMEOUT',
]);

/**
 * What a failure of the library or of a connection means for the sign-in. An invalid grant is an old or foreign code;
 * whatever else the token endpoint refuses is between the operator and the provider.
 */
export function toSignInFailure(cause: unknown): SignInFailure {
  if (cause instanceof SignInFailure) return cause;
  const failure = (kind: SignInFailureKind, reason: string) => new SignInFailure(kind, reason, { cause });
  const outbound = outboundCause(cause);
  if (outbound) return failure('unavailable', outbound.kind);
  if (cause instanceof AuthorizationResponseError) {
    return failure(FROM_AUTHORIZATION.get(cause.error) ?? 'refused', codeOf(cause.error));
  }
  if (cause instanceof ResponseBodyError) {
    return failure(cause.error === 'invalid_grant' ? 'refused' : 'unavailable', codeOf(cause.error));
  }
  if (cause instanceof WWWAuthenticateChallengeError) return failure('unavailable', 'invalid_client');
  const code = cause instanceof ClientError ? codeOf(cause.code) : 'unexpected';
  return failure(UNUSABLE.has(code) ? 'unavailable' : 'refused', code);
}

function outboundCause(error: unknown): OutboundFailure | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundFailure) return each;
  }
  return null;
}

/** Providers write these codes: only what looks like one goes to the log. */
function codeOf(code: unknown): string {
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'no_code';
}
