import type { Connection } from '../../database/connect.ts';
import { type Judged, restsOnDefaults, verdictOf } from '../../scoring/verdict/verdict.ts';
import type { BadgeScore } from '../../ui/badge.tsx';

/** The confirmed score of a subject, in what a badge shows of it; null without one. */
export async function findBadgeScore(connection: Connection, subjectId: string): Promise<BadgeScore | null> {
  const [found] = await connection.query<Omit<BadgeScore, 'verdict' | 'restsOnDefaults'> & Judged>(
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, utc_text(v.version) AS version,
       v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  if (!found) return null;
  const { contributions, caps, facts, factsAt, ...score } = found;
  const { state, reasons } = verdictOf(found);
  return { ...score, verdict: state, restsOnDefaults: restsOnDefaults(score.confidence, reasons) };
}
