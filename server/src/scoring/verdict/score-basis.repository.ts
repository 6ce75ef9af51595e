import type { Connection } from '../../database/connect.ts';
import { type ScoreBasis, scoreBasisOf } from './score-basis.ts';
import type { Judged } from './verdict.ts';

/** Reads what a subject's present score rests on; null without one. */
export async function findScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  const [score] = await connection.query<Judged>(
    `SELECT v.confidence, v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ? scoreBasisOf(score) : null;
}
