import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import type { Facts } from '../../../scoring/fact-types.ts';
import type { Cap, Contribution, Tier } from '../../../scoring/scoring-backend.ts';
import { isDefaultScore, type VerdictInput, verdictOf } from '../../../scoring/verdict/verdict.ts';
import type { BadgeScore } from '../../components/badge-drawing.tsx';
import { agesStableForMs } from '../../components/formatting.tsx';

/** Maximum points of a plot, about what a screen can show. */
const MAX_POINTS = 100;

/**
 * Selects a subject's current score as a ScoreDetail, for any statement that has the subject's id. Past scores are thinned
 * to the last one in each hundredth of the time span.
 */
export const scoreDetailOf = (subjectId: string) => `
  SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.status, v.source,
    v.method_version AS "methodVersion", utc_text(v.version) AS version, utc_text(v.freshness) AS freshness,
    v.coverage, v.contributions, v.caps, v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", utc_text(ledger_now()) AS "readAt",
    past.history, past."historyLength"
  FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
  CROSS JOIN LATERAL (
    WITH past AS (
      SELECT p.version, p.trust, p.confidence, p.lower_bound, coalesce(p.method_version, p.source) AS method,
        extract(epoch FROM p.version) AS at, count(*) OVER ()::int AS total, min(extract(epoch FROM p.version)) OVER () AS first
      FROM score p WHERE p.subject_id = v.subject_id AND p.version <= v.version),
    thinned AS (
      SELECT DISTINCT ON (slot) *, CASE WHEN total <= ${MAX_POINTS} THEN row_number() OVER (ORDER BY version)
        ELSE width_bucket(at, first, extract(epoch FROM v.version) + 0.000001, ${MAX_POINTS}) END AS slot
      FROM past ORDER BY slot, version DESC)
    SELECT json_agg(json_build_object('version', utc_text(version), 'trust', trust, 'confidence', confidence,
      'lowerBound', lower_bound, 'method', method) ORDER BY version) AS history, max(total) AS "historyLength"
    FROM thinned) AS past
  WHERE s.id = ${subjectId}`;

/** Loads a subject's current score with its contributions and history; null without a confirmed score. */
export async function loadScoreDetail(
  connection: Connection,
  subjectId: string,
): Promise<ScoreDetail | null> {
  const [score = null] = await queryTimeDependent<ScoreDetail>(
    connection,
    scoreDetailOf('$1'),
    [subjectId],
    ([found = null]) => scoreStableForMs(found),
  );
  return score;
}

/**
 * Returns the milliseconds for which the ages that a page states about a score stay the same; Infinity without a score.
 */
export function scoreStableForMs(score: ScoreDetail | null): number {
  if (score === null) return Number.POSITIVE_INFINITY;
  const { version, contributions, readAt } = score;
  return agesStableForMs([version, ...contributions.flatMap(({ observedAt }) => observedAt ?? [])], readAt);
}

/** A confirmed score with its contributions. Times are ISO 8601 with microseconds, as in the API. */
export interface ScoreDetail {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: string;
  /** Backend that computed the score: `embedded`, or the host of a remote backend. */
  source: string;
  methodVersion: string | null;
  version: string;
  freshness: string;
  /** Observed share of the applicable weight, 0 to 1; null if the backend does not report it. */
  coverage: number | null;
  contributions: Contribution[];
  caps: Cap[];
  /** Facts that the score was computed from; null if not stored. */
  facts: Facts | null;
  /** Time of the facts; null if not stored. */
  factsAt: string | null;
  /** Database time of this read, for computing ages. */
  readAt: string;
  /** Past scores, oldest first, ending with this one; long histories are thinned evenly. */
  history: PastScore[];
  /** Total number of scores before thinning. */
  historyLength: number;
}

/** One version of a subject's score. */
export interface PastScore {
  version: string;
  trust: number;
  confidence: number;
  lowerBound: number;
  /** Method version or source; the plot marks its changes. */
  method: string;
}

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
