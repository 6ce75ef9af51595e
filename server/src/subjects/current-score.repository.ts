import type { Connection } from '../database/connect.ts';

/** A subject's confirmed score; without one all is null and the tier is low. */
export interface CurrentScore {
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** ISO 8601 with microseconds. */
  scoreVersion: string | null;
}

/** Which score is current is for the subject's row to say: both are read at once. Null for an unknown subject. */
export async function findCurrentScore(
  connection: Connection,
  subjectId: string,
): Promise<CurrentScore | null> {
  const [score] = await connection.query<CurrentScore>(
    `SELECT v.trust, v.confidence, coalesce(v.tier, 'low') AS tier, utc_text(v.version) AS "scoreVersion"
     FROM subject s LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ?? null;
}
