import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import type { ScoreVersion } from '../../../scoring/explanations/compare-scores.ts';
import type { Facts } from '../../../scoring/fact-types.ts';
import type { Cap, Contribution, Tier } from '../../../scoring/scoring-backend.ts';
import { isDefaultScore, type VerdictInput, verdictOf } from '../../../scoring/verdict/verdict.ts';
import type { BadgeScore } from '../../components/badge-drawing.tsx';
import { agesStableForMs } from '../../components/formatting.tsx';

const DAY_MS = 86_400_000;
/** Maximum points of a plot; a screen can hardly show more. */
const MAX_POINTS = 100;

/** Days before now: the score of that time is compared with the current one. */
const COMPARED_DAYS = 30;

/** Columns of score `p` that make up a ScoreVersion. */
const VERSION_COLUMNS = `utc_text(p.version) AS version, p.subject_type AS type, p.trust, p.confidence, p.source,
  p.method_version AS "methodVersion", p.coverage, p.contributions, p.caps, p.inputs_hash AS "inputsHash",
  p.inputs -> 'facts' AS facts, p.inputs ->> 'now' AS "factsAt"`;

/**
 * Selects the version of the subject's score that was current 30 days ago or, if there was none, the first version.
 * Selects nothing if that version is score `v` itself.
 */
const EARLIER = `SELECT ${VERSION_COLUMNS} FROM score p WHERE p.subject_id = v.subject_id AND p.version < v.version
    AND p.version = coalesce((SELECT max(q.version) FROM score_version q WHERE q.subject_id = v.subject_id
        AND q.version <= ledger_now() - interval '${COMPARED_DAYS} days'),
      (SELECT min(q.version) FROM score_version q WHERE q.subject_id = v.subject_id))`;

/**
 * Builds SQL that selects the current score of a subject as a ScoreDetail. `subjectId` is an SQL expression. A history of
 * more than 100 scores is thinned to the last score in each hundredth of its time span.
 */
export const scoreDetailOf = (subjectId: string) => `
  SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.status, v.source,
    v.method_version AS "methodVersion", utc_text(v.version) AS version, utc_text(v.freshness) AS freshness,
    v.coverage, v.contributions, v.caps, v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", utc_text(ledger_now()) AS "readAt",
    past.history, past."historyLength",
    json_build_object('type', v.subject_type, 'inputsHash', v.inputs_hash,
      'earlier', (SELECT row_to_json(earlier) FROM (${EARLIER}) AS earlier)) AS compared
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
 * Returns the milliseconds for which a page about the score stays correct: until one of the ages that it states changes,
 * or until the score is compared with another past score. Returns Infinity without a score.
 */
export function scoreStableForMs(score: ScoreDetail | null): number {
  if (score === null) return Number.POSITIVE_INFINITY;
  const { version, contributions, readAt, history } = score;
  // The comparison moves to a later score when that score is COMPARED_DAYS old.
  const left = history.map((past) => Date.parse(past.version) + COMPARED_DAYS * DAY_MS - Date.parse(readAt));
  return Math.min(
    agesStableForMs([version, ...contributions.flatMap(({ observedAt }) => observedAt ?? [])], readAt),
    ...left.filter((ms) => ms > 0),
  );
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
  /** Past scores, oldest first, and this score as the last; long histories are thinned evenly in time. */
  history: PastScore[];
  /** Total number of scores before thinning. */
  historyLength: number;
  /**
   * Data for the comparison with an earlier score: the one that was current 30 days ago or, if there was none, the first.
   * `earlier` is null if that score is this one.
   */
  compared?: Pick<ScoreVersion, 'type' | 'inputsHash'> & { earlier: ScoreVersion | null };
}

/** One version of a subject's score. */
export interface PastScore {
  version: string;
  trust: number;
  confidence: number;
  lowerBound: number;
  /** Method version, or the source if no version is stored; the plot marks changes of this value. */
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
