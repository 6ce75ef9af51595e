import type { Connection } from '../../../platform/database/connect.ts';
import { isDefaultScore, type VerdictInput, verdictOf } from '../../../scoring/verdict/verdict.ts';
import type { BadgeScore } from '../../components/badge-drawing.tsx';

/** Reads the parts of a subject's confirmed score that a badge shows; null without a score. */
export async function findBadgeScore(connection: Connection, subjectId: string): Promise<BadgeScore | null> {
  const [found] = await connection.query<Omit<BadgeScore, 'verdict' | 'restsOnDefaults'> & VerdictInput>(
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, utc_text(v.version) AS version,
       v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  if (!found) return null;
  const { contributions, caps, facts, factsAt, ...score } = found;
  const { state, reasons } = verdictOf(found);
  return { ...score, verdict: state, restsOnDefaults: isDefaultScore(score.confidence, reasons) };
}
