import type { Connection } from '../../platform/database/connect.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import { readAllCredentials, readClock, readNewCredentials } from './caller.queries.ts';

/**
 * Bits of the filter: 2^23 bits are 1 MiB. With half a million credentials in the filter, about one of 2,000 unknown
 * hashes is a false positive; the share grows with the number of credentials.
 */
const BITS = 2 ** 23;

/** Bloom filter of credentials: constant size, with false positives but no false negatives. */
export class CredentialFilter {
  readonly #bits = new Uint8Array(BITS / 8);

  /** Adds a credential by its SHA-256. */
  add(hash: Buffer): void {
    for (const bit of bitsOf(hash)) this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  /** Returns false only if the credential was never added. */
  mayContain(hash: Buffer): boolean {
    return bitsOf(hash).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

/**
 * Returns the bit positions of a SHA-256 hash in the filter (Bloom 1970). The hash's eight words serve as the hash
 * functions: an attacker cannot choose a credential whose words force a false positive.
 */
function bitsOf(hash: Buffer): number[] {
  return [0, 4, 8, 12, 16, 20, 24, 28].map((at) => hash.readUInt32LE(at) % BITS);
}

/** Minimum delay between reads of the credential tables, even if many guesses arrive. */
const PAUSE_MS = 250;
/** Interval after which the filter is rebuilt, to drop ended credentials. */
const RENEWED_EVERY_MS = 3_600_000;

/** Distinguishes guesses from existing credentials, for client addresses that sent too many wrong ones. */
export interface KnownCredentials {
  /**
   * Returns false only if the credential was missing from the tables in a read that began after this call. A credential
   * whose creation any process has confirmed is never missing. True proves nothing: the request's own statement still
   * checks the credential. Returns true if the database cannot be read.
   */
  mayExist(credential: Credential): Promise<boolean>;
}

/**
 * Maintains a filter of existing keys and sessions, with constant size. Reads nothing before the first call of
 * `mayExist`; from then on, concurrent calls share one read of new credentials, at most four times a second. Without
 * the filter, `known-credentials.db.test.ts` and `limits.long.test.ts` fail.
 */
export function createKnownCredentials(
  connection: Connection,
  pause: () => Promise<void> = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref()),
  now: () => number = () => performance.now(),
): KnownCredentials {
  let filter: CredentialFilter | null = null;
  let filledAt = 0;
  let readUpTo = '';
  let earlier: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    if (filter !== null && now() - filledAt < RENEWED_EVERY_MS) {
      const known = filter;
      readUpTo = await readNewCredentials(connection, readUpTo, (hash) => known.add(hash));
      return;
    }
    const rebuilt = new CredentialFilter();
    const start = await readClock(connection);
    await readAllCredentials(connection, (hash) => rebuilt.add(hash));
    // Credentials that were created during the read may precede the position that the read had reached.
    readUpTo = await readNewCredentials(connection, start, (hash) => rebuilt.add(hash));
    filter = rebuilt;
    filledAt = now();
  }

  /**
   * Returns the next read that has not begun yet. A read in progress may have begun before the caller's credential was
   * created.
   */
  function readAgain(): Promise<void> {
    next ??= earlier.then(() => {
      next = null;
      const reading = read();
      earlier = reading.catch(() => undefined).then(pause);
      return reading;
    });
    return next;
  }

  return {
    async mayExist({ hash }) {
      if (filter?.mayContain(hash)) return true;
      try {
        await readAgain();
      } catch {
        return true;
      }
      return filter?.mayContain(hash) ?? true;
    },
  };
}
