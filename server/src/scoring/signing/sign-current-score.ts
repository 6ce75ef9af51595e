import type { Connection } from '../../platform/database/connect.ts';
import { SCORE_LIFE_MS } from './score-claims.ts';
import { inputsTimeOf, type ScoreSignature, type ScoreSigner } from './score-signer.ts';
import { findStoredScore, type StoredScoreRow } from './stored-score.queries.ts';

/** Signature of a stored score, with the version that it is about. */
export interface CurrentSignature extends ScoreSignature {
  version: string;
}

/**
 * Signs the stored current score of a subject; null if the subject has no score with stored inputs. If a metered call
 * has signed the score with the same key, the signature is the same until a week after the score's version. Scores of
 * releases without signatures were stored without the subject's names, so their signature contains the present names.
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

/** Returns the time until the signature's week ends. Treats a version in the future, from a wrong clock, as now. */
function signatureValidForMs({ version, now }: StoredScoreRow): number {
  const age = Math.max(0, Date.parse(now) - Date.parse(version));
  return SCORE_LIFE_MS - (age % SCORE_LIFE_MS);
}
