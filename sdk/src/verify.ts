/**
 * Verifies signed scores from any source, trusted or not. Uses the runtime's Web Crypto and has no dependencies.
 *
 * @packageDocumentation
 */

import { ConfigurationError, ConnectionError, TrustDirectoryError } from './errors/errors.ts';
import { VerificationError } from './errors/verification-error.ts';
import type { components } from './generated/schema.ts';
import { canonicalJson, decodeScore, type ScoreDocument } from './resources/score-document.ts';
import { readText } from './transport/response.ts';

export { ConfigurationError, ConnectionError, TrustDirectoryError } from './errors/errors.ts';
export { type VerificationCode, VerificationError } from './errors/verification-error.ts';
export { decodeScore, type ScoreDocument, type SignedScore } from './resources/score-document.ts';

/** Public keys of a directory, in the format of `/.well-known/jwks.json`. */
export type SigningKeys = components['schemas']['SigningKeys'];

/** Expectations that a signed score must meet. */
export interface VerifyOptions {
  /** Origin of the directory that must have signed the score, such as `https://directory.example`. */
  issuer: string;
  /**
   * Canonical id of the subject that the score must be of. Without it, every score that the directory has signed
   * passes; then compare the `subject` of the result yourself.
   */
  subject?: string | undefined;
  /** Public keys of the directory, to verify offline. */
  keys?: SigningKeys | undefined;
  /** URL of the keys, used if `keys` is absent. Default: `/.well-known/jwks.json` of the issuer. */
  jwksUrl?: string | undefined;
  /** Time at which the document must be valid. Default: now. */
  now?: Date | undefined;
  /** Function that reads the keys instead of `globalThis.fetch`. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Signal that aborts the reading of keys. */
  signal?: AbortSignal | undefined;
}

/** Document whose signature, issuer, validity period and input hash have been verified. */
export interface VerifiedScore extends ScoreDocument {
  /** Id of the key that signed the document. */
  readonly keyId: string;
  /** SHA-256 of the signed document (JWS), as shown on the receipt of the call that computed the score. */
  readonly sha256: string;
}

/** Tolerated clock difference, in seconds. */
const CLOCK_SKEW = 60;
/** Maximum size of the key set, in bytes. */
const MAX_KEYS_LENGTH = 65_536;
const KEYS_TIMEOUT_MS = 10_000;
const OPTIONS = ['issuer', 'subject', 'keys', 'jwksUrl', 'now', 'fetch', 'signal'];

/**
 * Verifies a signed score: the issuer signed it with one of its keys, it is about the expected subject, it is valid
 * now, and its input hash matches its inputs. Never uses URLs or keys from the document. Rejects with a
 * `VerificationError` whose `code` says what is wrong, with a `ConnectionError` if the keys can't be read,
 * or with another `TrustDirectoryError` if an option is invalid or `jwksUrl` has no keys.
 *
 * @example
 * const jws = 'eyJhbGciOiJFZERTQSJ9.e30.c2ln';
 * const { scores } = await verifyScore(jws, { issuer: 'https://directory.example' });
 * console.log(scores.trust);
 */
export async function verifyScore(jws: string, options: VerifyOptions): Promise<VerifiedScore> {
  const { issuer, subject, keys, jwksUrl, now = new Date() } = checkedOptions(options);
  const { header, document, signature, signedText } = decodeScore(jws);
  const url = jwksUrl ?? new URL('/.well-known/jwks.json', issuer).href;
  const { keys: known } = keys ?? (await readKeys(url, options));
  const key = known.find(({ kid }) => kid === header.kid);
  if (!key)
    throw new VerificationError('unknown_key', 'No key of the issuer has the id that the document names.');
  if (!(await isSignedBy(key, signature, signedText)))
    throw new VerificationError('bad_signature', 'The signature does not fit the document.');
  if (document.iss !== new URL(issuer).origin)
    throw new VerificationError('wrong_issuer', `The document is not from ${issuer}.`);
  if (subject !== undefined && document.sub !== subject.toLowerCase())
    throw new VerificationError(
      'wrong_subject',
      `The document is not about ${subject}, but about ${document.subject.name} (${document.sub}).`,
    );
  const seconds = now.getTime() / 1000;
  if (document.iat > seconds + CLOCK_SKEW)
    throw new VerificationError('not_yet_valid', 'The document is from the future.');
  if (document.exp <= seconds)
    throw new VerificationError(
      'expired',
      `The document expired at ${new Date(document.exp * 1000).toISOString()}.`,
    );
  if (document.inputs_hash !== `sha256:${await sha256(canonicalJson(document.inputs))}`)
    throw new VerificationError('wrong_inputs', 'The hash of the inputs does not fit the inputs.');
  return { ...document, keyId: header.kid, sha256: await sha256(jws.trim()) };
}

function checkedOptions(options: VerifyOptions): VerifyOptions {
  const unknown = Object.keys(Object(options)).find((name) => !OPTIONS.includes(name));
  if (unknown) throw new ConfigurationError(`${unknown} is not an option. Options: ${OPTIONS.join(', ')}.`);
  const { issuer, subject, keys, jwksUrl, now } = Object(options) as VerifyOptions;
  if (!isWebAddress(issuer) || new URL(issuer).href !== `${new URL(issuer).origin}/`)
    throw new ConfigurationError(
      'issuer must be the http or https address of the directory, without a path, a query or a password.',
    );
  if (subject !== undefined && (typeof subject !== 'string' || subject === ''))
    throw new ConfigurationError('subject must be the canonical id of the subject.');
  if (jwksUrl !== undefined && !isWebAddress(jwksUrl))
    throw new ConfigurationError('jwksUrl must be an http or https address.');
  if (keys !== undefined && !isKeySet(keys))
    throw new ConfigurationError('keys must be a JWK set: { keys: [...] }.');
  if (now !== undefined && !(now instanceof Date && !Number.isNaN(now.getTime())))
    throw new ConfigurationError('now must be a valid Date.');
  return options;
}

function isWebAddress(text: unknown): text is string {
  return typeof text === 'string' && /^https?:\/\//i.test(text) && URL.canParse(text);
}

function isKeySet(value: unknown): value is SigningKeys {
  const { keys } = Object(value) as { keys?: unknown };
  return Array.isArray(keys) && keys.every((key) => typeof Object(key).kid === 'string');
}

/** Reads the keys of the issuer. Rejects redirects, because they could lead to keys of another party. */
async function readKeys(
  url: string,
  { fetch = globalThis.fetch, signal }: VerifyOptions,
): Promise<SigningKeys> {
  const timeout = AbortSignal.timeout(KEYS_TIMEOUT_MS);
  const init: RequestInit = {
    headers: { accept: 'application/json' },
    redirect: 'error',
    credentials: 'omit',
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  let text: string | null;
  try {
    const response = await fetch(url, init);
    if (!response.ok) throw new Error(`status ${response.status}`);
    text = await readText((response.body as BodyInit | null) ?? (await response.text()), MAX_KEYS_LENGTH);
  } catch (cause) {
    const message = `The keys of the issuer can't be read from ${url}.`;
    throw new ConnectionError(message, { code: '', cause });
  }
  const keys = text === null ? null : parsed(text);
  if (isKeySet(keys)) return keys;
  throw new TrustDirectoryError(`${url} is no set of keys.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function isSignedBy(
  { kty, crv, x }: SigningKeys['keys'][number],
  signature: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<boolean> {
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string')
    throw new VerificationError('unknown_key', 'The key of the issuer is no Ed25519 key.');
  const { subtle } = globalThis.crypto;
  let key: CryptoKey;
  try {
    key = await subtle.importKey('jwk', { kty, crv, x }, { name: 'Ed25519' }, false, ['verify']);
  } catch (cause) {
    if (Object(cause).name === 'NotSupportedError')
      throw new ConfigurationError('The Web Crypto of this runtime has no Ed25519.', { cause });
    throw new VerificationError('unknown_key', 'The key of the issuer is damaged.', { cause });
  }
  return subtle.verify({ name: 'Ed25519' }, key, signature, new TextEncoder().encode(text));
}

async function sha256(text: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
