import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import type { Facts } from '../../../scoring/fact-types.ts';
import type { Cap, Contribution, Tier } from '../../../scoring/scoring-backend.ts';
import { agesStableForMs } from '../../components/formatting.tsx';

/** Maximum points of a plot, about what a screen can show. */
const MAX_POINTS = 100;

/** Loads a subject's current score with its contributions and history; null without a confirmed score. */
export async function loadScoreDetail(
  connection: Connection,
  subjectId: string,
): Promise<ScoreDetail | null> {
  const [score] = await queryTimeDependent<Omit<ScoreDetail, 'history' | 'historyLength'>>(
    connection,
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.status, v.source,
       v.method_version AS "methodVersion", utc_text(v.version) AS version, utc_text(v.freshness) AS freshness,
       v.coverage, v.contributions, v.caps, v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", utc_text(ledger_now()) AS "readAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
    ([found]) => (found ? agesStableForMs(timesWithAge(found), found.readAt) : Number.POSITIVE_INFINITY),
  );
  if (!score) return null;
  const past = await loadHistory(connection, subjectId, score.version);
  return { ...score, history: past, historyLength: past[0]?.total ?? 0 };
}

/** Returns the times whose age the page states. */
function timesWithAge({ version, contributions }: Pick<ScoreDetail, 'version' | 'contributions'>): string[] {
  return [version, ...contributions.flatMap(({ observedAt }) => observedAt ?? [])];
}

/** Loads past scores, thinned to the last score in each hundredth of the time span. */
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
       SELECT DISTINCT ON (slot) *, CASE WHEN total <= ${MAX_POINTS} THEN row_number() OVER (ORDER BY version)
         ELSE width_bucket(at, first, extract(epoch FROM $2::timestamptz) + 0.000001, ${MAX_POINTS}) END AS slot
       FROM past ORDER BY slot, version DESC)
     SELECT utc_text(version) AS version, trust, confidence, lower_bound AS "lowerBound", method, total
     FROM thinned ORDER BY version`,
    [subjectId, version],
  );
}

/** A confirmed score with its contributions. Times are ISO 8601 with microseconds, as in the API. */
export interface ScoreDetail {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: string;
  /** Backend that computed it: `embedded`, or a host. */
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
