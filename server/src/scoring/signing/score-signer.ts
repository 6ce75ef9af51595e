import { hash } from 'node:crypto';
import type { AcceptedScore } from '../scores/accept-score.ts';
import {
  SIGNED_SCORE_TYPE,
  type SignedContent,
  signedContent,
  type VersionedScore,
  weeksSince,
} from './score-claims.ts';
import { type KeySet, type PublicJwk, publicKeysOf } from './signing-keys.ts';

/** A score as a compact JWS. */
export interface ScoreSignature {
  jws: string;
  /** SHA-256 of the JWS. */
  sha256: Buffer;
  keyId: string;
  expiresAt: Date;
}

/** Signs scores with the directory's key. */
export interface ScoreSigner {
  /** Keys with which anyone can verify what the directory has signed. */
  readonly publicKeys: readonly PublicJwk[];
  /** Signs a stored score for the week in which `now` lies; weeks are counted from the score's version. */
  signStored(score: VersionedScore, now: Date): Promise<ScoreSignature>;
  /** Chooses the version of a new score and signs the score. The statement that charges must store both results. */
  signNew(score: AcceptedScore): Promise<NonNullable<AcceptedScore['signed']>>;
}

/**
 * Creates a signer. A signature is deterministic: the same score version, signed again with the same key in the same
 * week, has the same bytes.
 */
export function createScoreSigner(issuer: string, keys: KeySet): ScoreSigner {
  const [{ kid, kty, crv, x, d = '' }] = keys;
  const header = { alg: 'EdDSA', kid, typ: SIGNED_SCORE_TYPE };
  // Loads `jose` with the first signature, so that the start of the server does not wait for it.
  const load = async () => {
    provideToBase64();
    const { CompactSign, importJWK } = await import('jose');
    return { CompactSign, key: await importJWK({ kty, crv, x, d }, 'EdDSA') };
  };
  let loading: ReturnType<typeof load> | undefined;
  const sign = async ({ text, expiresAt }: SignedContent): Promise<ScoreSignature> => {
    // A failed load is tried again with the next signature.
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    const { CompactSign, key } = await loading;
    const jws = await new CompactSign(Buffer.from(text)).setProtectedHeader(header).sign(key);
    return { jws, sha256: hash('sha256', jws, 'buffer'), keyId: kid, expiresAt };
  };
  const nextVersion = createVersionClock();
  return {
    publicKeys: publicKeysOf(keys),
    signStored: (score, now) => sign(signedContent(issuer, score, weeksSince(score.version, now))),
    async signNew({ subjectId, record }) {
      const version = nextVersion(record.inputs.now);
      const { jws, sha256 } = await sign(signedContent(issuer, { subjectId, version, record }));
      return { jws, sha256, version };
    },
  };
}

/**
 * Defines the standard method `Uint8Array.prototype.toBase64` if the runtime lacks it, as Node does before version 25.
 * `jose` uses it if it exists, and otherwise encodes in JavaScript. With it, a signature takes 0.57 to 0.89 × the CPU time
 * (`npm run bench -- mechanisms`).
 */
export function provideToBase64(): void {
  if ('toBase64' in Uint8Array.prototype) return;
  Object.defineProperty(Uint8Array.prototype, 'toBase64', {
    value: toBase64,
    writable: true,
    configurable: true,
  });
}

function toBase64(
  this: Uint8Array,
  {
    alphabet = 'base64',
    omitPadding = false,
  }: { alphabet?: 'base64' | 'base64url'; omitPadding?: boolean } = {},
): string {
  const text = Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString(alphabet);
  const isPadded = alphabet === 'base64';
  if (isPadded !== omitPadding) return text;
  return isPadded ? text.replace(/=+$/, '') : text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

const MICROSECONDS = 1000;
const DIGITS = 3;

/**
 * Returns a function that chooses the version of a score before the score is stored. A version is the millisecond at
 * which the database read the facts, with a counter in place of the microseconds. The time of the inputs therefore
 * follows from the version, and consecutive calls of one process get different versions. Processes start their counters
 * at different values.
 */
function createVersionClock(): (readAt: string) => string {
  let count = process.pid % MICROSECONDS;
  return (readAt) => {
    count = (count + 1) % MICROSECONDS;
    return `${readAt.slice(0, -1)}${String(count).padStart(DIGITS, '0')}Z`;
  };
}

/** Returns the time of the inputs from a version that a version clock has made. */
export function inputsTimeOf(version: string): string {
  return `${version.slice(0, -(DIGITS + 1))}Z`;
}
