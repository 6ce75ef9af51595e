import type { Connection } from '../database/connect.ts';
import type { BoughtScore } from './bought-score.ts';

/** The score that a receipt names; null where it names none. */
export async function findBoughtScore(
  connection: Connection,
  subjectId: string,
  version: string,
): Promise<BoughtScore | null> {
  const [score] = await connection.query<BoughtScore>(
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.contributions, v.caps,
       v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", v.version = s.current_version AS "isCurrent"
     FROM score v JOIN subject s ON s.id = v.subject_id WHERE v.subject_id = $1 AND v.version = $2`,
    [subjectId, version],
  );
  return score ?? null;
}
