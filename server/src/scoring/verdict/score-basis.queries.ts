import type { Connection } from '../../platform/database/connect.ts';
import { type ScoreBasis, scoreBasisOf } from './score-basis.ts';
import type { VerdictInput } from './verdict.ts';

/** Reads the basis of a subject's current score; null without one. */
export async function findScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  const [score] = await connection.query<VerdictInput>(
    `SELECT v.confidence, v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ? scoreBasisOf(score) : null;
}
