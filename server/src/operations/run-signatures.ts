import type { AcceptedScore } from '../scoring/scores/accept-score.ts';
import type { ScoreSigner } from '../scoring/signing/score-signer.ts';

/** A signed score: the JWS that the answer contains, and its SHA-256, which the run stores. */
export interface RunSignature {
  jws: string;
  sha256: Buffer;
}

/** Signatures of the score of one call. Without a signer, the score stays unsigned. */
export interface RunSignatures {
  /**
   * Returns the score with the hash of its signature; the statement that charges stores both. Returns the same score
   * version each time until `discard` is called.
   */
  score(): Promise<AcceptedScore>;
  /**
   * Discards the signed version, so that the next `score` signs a new one. Call it if the statement certainly stored
   * nothing, because another score of the subject may already have this version.
   */
  discard(): void;
  /** Returns the signature that a stored run refers to; null if there is none. */
  of(sha256: Buffer | null): RunSignature | null;
}

/**
 * Signs the score of a call before the statement that charges for it, so that the statement stores the signature's hash
 * and no crash can separate the two. Keeps all signatures of the call: if the result of a statement is lost, the stored
 * run says which of them it has. Without this, `signed-calls.db.test.ts` and `lost-charges.long.test.ts` fail.
 */
export function createRunSignatures(signer: ScoreSigner | null, score: AcceptedScore): RunSignatures {
  const made: RunSignature[] = [];
  let current: Promise<AcceptedScore> | null = null;
  const sign = async (by: ScoreSigner): Promise<AcceptedScore> => {
    const signed = await by.signNew(score);
    made.push(signed);
    return Object.assign({}, score, { signed });
  };
  return {
    score() {
      current ??= signer ? sign(signer) : Promise.resolve(score);
      return current;
    },
    discard() {
      current = null;
    },
    of: (sha256) => made.find((signature) => sha256 !== null && signature.sha256.equals(sha256)) ?? null,
  };
}
