import type { Connection } from '../../database/connect.ts';
import { queryForNow } from '../../database/recorded-reads.ts';
import { agesHoldForMs } from '../../ui/text.tsx';
import type { PastScore, ScoreDetail } from './score-detail.ts';

/** Points of a history's plot at most: more than a screen can tell apart only make the page heavy. */
const MOST_POINTS = 100;

/** The current score of a subject with its contributions and history, or null where none is confirmed. */
export async function loadScoreDetail(
  connection: Connection,
  subjectId: string,
): Promise<ScoreDetail | null> {
  const [score] = await queryForNow<Omit<ScoreDetail, 'history' | 'historyLength'>>(
    connection,
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.status, v.source,
       v.method_version AS "methodVersion", utc_text(v.version) AS version, utc_text(v.freshness) AS freshness,
       v.coverage, v.contributions, v.caps, v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", utc_text(ledger_now()) AS "readAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
    ([found]) => (found ? agesHoldForMs(agedMoments(found), found.readAt) : Number.POSITIVE_INFINITY),
  );
  if (!score) return null;
  const past = await loadHistory(connection, subjectId, score.version);
  return { ...score, history: past, historyLength: past[0]?.total ?? 0 };
}

/** What the page tells the age of. */
function agedMoments({ version, contributions }: Pick<ScoreDetail, 'version' | 'contributions'>): string[] {
  return [version, ...contributions.flatMap(({ observedAt }) => observedAt ?? [])];
}

/** The last score of each hundredth of the time from the first to the current one. */
function loadHistory(
  connection: Connection,
  subjectId: string,
  version: string,
): Promise<(PastScore & { total: number })[]> {
  return connection.query(
    `WITH past AS (
       SELECT version, trust, confidence, lower_bound, coalesce(method_version, source) AS method,
         extract(epoch FROM version) AS at, count(*) OVER ()::int AS total,
         min(extract(epoch FROM version)) OVER () AS first
       FROM score WHERE subject_id = $1 AND version <= $2),
     thinned AS (
       SELECT DISTINCT ON (slot) *, CASE WHEN total <= ${MOST_POINTS} THEN row_number() OVER (ORDER BY version)
         ELSE width_bucket(at, first, extract(epoch FROM $2::timestamptz) + 0.000001, ${MOST_POINTS}) END AS slot
       FROM past ORDER BY slot, version DESC)
     SELECT utc_text(version) AS version, trust, confidence, lower_bound AS "lowerBound", method, total
     FROM thinned ORDER BY version`,
    [subjectId, version],
  );
}
