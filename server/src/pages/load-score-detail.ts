import type { Connection } from '../database/connect.ts';
import type { ScoreDetail } from './page-data.ts';

/** The current score of a subject with its contributions, or null where none is confirmed. */
export async function loadScoreDetail(
  connection: Connection,
  subjectId: string,
): Promise<ScoreDetail | null> {
  const [score] = await connection.query<ScoreDetail>(
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.status, v.source,
       v.method_version AS "methodVersion", utc_text(v.version) AS version, utc_text(v.freshness) AS freshness,
       v.contributions, v.caps
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ?? null;
}
