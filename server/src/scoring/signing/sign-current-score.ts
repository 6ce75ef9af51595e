import type { Connection } from '../../platform/database/connect.ts';
import { SCORE_LIFE_MS } from './score-claims.ts';
import { inputsTimeOf, type ScoreSignature, type ScoreSigner } from './score-signer.ts';
import { findStoredScore, type StoredScoreRow } from './stored-score.queries.ts';

/** Signature of a stored score, with the version that it is about. */
export interface CurrentSignature extends ScoreSignature {
  version: string;
}

/**
 * Signs the current score of a subject, as it is stored; null if the subject has no score. A score that a call has
 * signed gets the same signature again, until its week ends. Scores of releases without signatures have no names of
 * their own: they get the subject's present ones.
 */
export async function signCurrentScore(
  connection: Connection,
  signer: ScoreSigner,
  { id, name, repository }: { id: string; name: string; repository: string | null },
): Promise<CurrentSignature | null> {
  const row = await findStoredScore(connection, id, signatureValidForMs);
  if (!row) return null;
  const { version, inputs, is_signed_by_call: isSignedByCall, now, ...figures } = row;
  const ownInputs = {
    ...inputs,
    now: isSignedByCall ? inputsTimeOf(version) : inputs.now,
    subject: inputs.subject ?? { name, repository },
  };
  const score = { subjectId: id, version, record: { ...figures, inputs: ownInputs } };
  return { ...(await signer.signStored(score, new Date(now))), version };
}

/** Returns the time until the signature's week ends. A version in the future comes from a wrong clock. */
function signatureValidForMs({ version, now }: StoredScoreRow): number {
  const age = Math.max(0, Date.parse(now) - Date.parse(version));
  return SCORE_LIFE_MS - (age % SCORE_LIFE_MS);
}
