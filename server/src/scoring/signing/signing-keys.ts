import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type JsonWebKey } from 'node:crypto';

/** Public part of a key, as `/.well-known/jwks.json` shows it. */
export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

/** Stored key: the public part, the private part `d` if the key may sign, and the times that rotation records. */
export interface KeptJwk extends PublicJwk {
  d?: string;
  /** Time at which the key was announced, if it has not signed yet. */
  announced_at?: string;
  /** Time from which the key no longer signs. */
  retired_at?: string;
}

/**
 * Keys of the directory. The first one signs. The others only verify: retired keys, and an announced key that will sign
 * later.
 */
export type KeySet = readonly [KeptJwk, ...KeptJwk[]];

/** Thrown for a key set that cannot be used. The message contains no part of a key. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}

/** Creates a key pair. Its id is the thumbprint of the public key (RFC 7638). */
export function createKey(): KeptJwk {
  return keptKey(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), 0, 'a new key');
}

/**
 * Reads keys from a JWK or a JWK set, as JSON. The first must be a private Ed25519 key. Throws a SigningKeyError that
 * names the source, such as `SIGNING_KEY`, and never quotes its content.
 */
export function parseKeySet(text: string, source: string): KeySet {
  const content = parseJson(text, source);
  const listed: unknown = content.keys ?? [content];
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > MAX_KEYS)
    throw new SigningKeyError(`${source} must have 1 to ${MAX_KEYS} keys.`);
  const keys = listed.map((jwk, n) => keptKey(jwk, n, source));
  const [first] = keys;
  if (!first?.d)
    throw new SigningKeyError(`The first key of ${source} must be a private key, because it signs.`);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length)
    throw new SigningKeyError(`${source} has the same key twice.`);
  return keys as unknown as KeySet;
}

/** Returns the public parts of the keys, which verifiers need. */
export function publicKeysOf(keys: readonly KeptJwk[]): PublicJwk[] {
  return keys.map(({ kty, crv, x, kid, alg, use }) => ({ kty, crv, x, kid, alg, use }));
}

const MAX_KEYS = 20;

function parseJson(text: string, source: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content === 'object' && content !== null) return content as Record<string, unknown>;
  } catch {
    // The error of JSON.parse quotes the text, which contains the key.
  }
  throw new SigningKeyError(`${source} must be a JWK or a JWK set, as JSON.`);
}

function keptKey(jwk: unknown, n: number, source: string): KeptJwk {
  const { kty, crv, x, d, announced_at, retired_at } = Object(jwk) as Record<string, unknown>;
  const position = `Key ${n + 1} of ${source}`;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string')
    throw new SigningKeyError(`${position} must be an Ed25519 key (kty OKP, crv Ed25519).`);
  const own = publicPartOf({ kty, crv, x, ...(d === undefined ? {} : { d: String(d) }) });
  if (own !== x) throw new SigningKeyError(`${position} is damaged: its parts do not fit together.`);
  for (const time of [announced_at, retired_at]) {
    if (time !== undefined && Number.isNaN(Date.parse(String(time))))
      throw new SigningKeyError(`${position} has an invalid time in announced_at or retired_at.`);
  }
  return {
    ...{ kty, crv, x, kid: thumbprintOf(x), alg: 'EdDSA', use: 'sig' },
    ...(d === undefined ? {} : { d: String(d) }),
    ...(announced_at === undefined ? {} : { announced_at: String(announced_at) }),
    ...(retired_at === undefined ? {} : { retired_at: String(retired_at) }),
  };
}

/** Computes the public part of a private or public key; null if the key is damaged. */
function publicPartOf(key: JsonWebKey): string | null {
  try {
    const input = { key, format: 'jwk' } as const;
    const shown = key.d === undefined ? createPublicKey(input) : createPublicKey(createPrivateKey(input));
    return shown.export({ format: 'jwk' }).x ?? null;
  } catch {
    return null;
  }
}

/** Returns the thumbprint of an Ed25519 key (RFC 7638): the SHA-256 of its required members in canonical form. */
function thumbprintOf(x: string): string {
  return hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
}
