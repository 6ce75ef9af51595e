import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { OutboundFailure } from '../../hosts/client/read-response.ts';
import { SignInFailure, type SignInFailureKind } from './sign-in-attempt.ts';

/**
 * Failure kinds by the error code that a provider returns to the callback (RFC 6749, 4.1.2.1; OpenID Connect Core,
 * 3.1.2.6). Any other code means `refused`.
 */
const FROM_AUTHORIZATION = new Map<string, SignInFailureKind>([
  ['access_denied', 'denied'],
  ['login_required', 'denied'],
  ['interaction_required', 'denied'],
  ['consent_required', 'denied'],
  ['account_selection_required', 'denied'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
]);

/**
 * Error codes of `openid-client` that mean that the provider does not work: an answer that violates the protocol,
 * missing metadata, an http URL, or no answer in time.
 */
const UNUSABLE: ReadonlySet<string> = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_TIMEOUT',
]);

/**
 * Maps an error of `openid-client` or of the connection to a sign-in failure. An invalid grant means that the
 * authorization code is too old or belongs to another client; other errors of the token endpoint must be fixed by the
 * operator.
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

/** Returns the code if it is safe to log, otherwise `no_code`. Providers choose these codes freely. */
function codeOf(code: unknown): string {
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : 'no_code';
}
/** Names of the providers, which are part of the path `/sign-in/with/NAME`. */
const PROVIDER_NAMES = ['oidc', 'github'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Secrets of one sign-in attempt, which no other browser can guess. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** A person whom a provider has authenticated. */
export interface Person {
  /** Issuer identifier of the provider, in its own spelling. */
  readonly issuer: string;
  /** The provider's permanent id of the person: neither a name nor an e-mail address. */
  readonly subject: string;
  /** The person's current handle at the provider; null if it was not requested, not returned or not valid. */
  readonly handle: string | null;
  /**
   * Time at which the person's account at the provider was created, ISO 8601 UTC; null if the provider returns no valid
   * time.
   */
  readonly accountCreatedAt: string | null;
}

/** An identity provider that authenticates people. `authorizationUrl` and `identify` throw only SignInFailure. */
export interface IdentityProvider {
  readonly name: ProviderName;
  /** Display name of the provider. */
  readonly label: string;
  /** Returns the provider's URL to open in the browser. `again` asks the provider to ignore an earlier sign-in. */
  authorizationUrl(secrets: AttemptSecrets, options: { again: boolean }): Promise<URL>;
  /** Authenticates the person from the callback's query parameters. */
  identify(query: URLSearchParams, secrets: AttemptSecrets): Promise<Person>;
  close(): Promise<void>;
}
