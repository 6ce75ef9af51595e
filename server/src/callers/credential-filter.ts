/** 2^23 bits are 1 MiB. Of half a million credentials one guess in two thousand is taken for one; of more, more are. */
const BITS = 2 ** 23;

/** A set of credentials that takes one size whatever it holds: it may take a stranger for a member, never the other way. */
export class CredentialFilter {
  readonly #bits = new Uint8Array(BITS / 8);

  /** Takes in a credential by its SHA-256. */
  add(hash: Buffer): void {
    for (const bit of bitsOf(hash)) this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
  }

  /** False for what was never added. */
  mayHold(hash: Buffer): boolean {
    return bitsOf(hash).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }
}

/** A Bloom filter's places (Bloom 1970): the digest's own eight words serve, since nobody steers a SHA-256. */
function bitsOf(hash: Buffer): number[] {
  return [0, 4, 8, 12, 16, 20, 24, 28].map((at) => hash.readUInt32LE(at) % BITS);
}
