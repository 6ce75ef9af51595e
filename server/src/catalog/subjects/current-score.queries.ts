import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import { PACKAGE_REASONS } from '../../scoring/verdict/package-reasons.ts';
import {
  readVerdict,
  type Verdict,
  type VerdictInput,
  type VerdictState,
  verdictOf,
} from '../../scoring/verdict/verdict.ts';

/** Current score of a subject. Without a score, trust, confidence, version and verdict are null and the tier is low. */
export interface CurrentScore {
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** ISO 8601 with microseconds. */
  scoreVersion: string | null;
  verdict: Verdict | null;
  /**
   * True if it is proved here who is behind the subject: the owner of the repository, an account of the creator, or the
   * account itself.
   */
  verified: boolean;
}

/** Values for a subject that is unknown or has no score. */
export const NO_SCORE: CurrentScore = {
  trust: null,
  confidence: null,
  tier: 'low',
  scoreVersion: null,
  verdict: null,
  verified: false,
};

interface ScoreRow extends Omit<CurrentScore, 'verdict' | 'verified'> {
  id: string;
  /** Null for platform accounts, whose proof is among the reasons of their verdict. */
  verified: boolean | null;
  /**
   * Verdict of a listing as stored in `listing_rank`; null for all other subjects, and for scores stored without a
   * verdict.
   */
  state: VerdictState | null;
  reasons: string[] | null;
  lastCommitAt: Date | null;
  metricsReadAt: Date | null;
  packageStanding: PackageStanding | null;
  /** Evidence of a score whose verdict is not stored. */
  evidence: Omit<VerdictInput, 'confidence'> | null;
}

/**
 * Reads the scores of a batch of subjects. Evidence is large, so it is read only where no verdict is stored. `homeId`,
 * the listing that contains an artifact, is selected only so that a cached response depends on that listing.
 */
const SCORES = `SELECT s.id, v.trust, v.confidence, coalesce(v.tier, 'low') AS tier, utc_text(v.version) AS "scoreVersion",
    coalesce(l.verified, home.verified, m.verified) AS verified, home.subject_id AS "homeId",
    k.verdict AS state, k.reasons, l.last_commit_at AS "lastCommitAt", coalesce(l.metrics_observed_at, l.updated_at) AS "metricsReadAt",
    CASE WHEN k.reasons && '{${PACKAGE_REASONS}}' THEN (SELECT o.value FROM observed_fact o
      WHERE o.subject_id = s.id AND o.fact = 'package_standing' LIMIT 1) END AS "packageStanding",
    CASE WHEN k.verdict IS NULL AND v.version IS NOT NULL THEN jsonb_build_object('contributions', v.contributions,
      'caps', v.caps, 'facts', v.inputs -> 'facts', 'factsAt', v.inputs -> 'now') END AS evidence
  FROM (${batchRows('id uuid')}) AS asked JOIN subject s ON s.id = asked.id
  LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
  LEFT JOIN listing l ON l.subject_id = s.id
  LEFT JOIN listing_rank k ON k.subject_id = s.id AND k.score_version = s.current_version
  LEFT JOIN artifact a ON a.subject_id = s.id
  LEFT JOIN listing home ON home.subject_id = a.listing_id
  LEFT JOIN creator m ON m.subject_id = s.id`;

/** Loads the current scores of subjects by id, in one statement. Unknown subjects have no entry. */
export async function loadCurrentScores(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<Map<string, CurrentScore>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await connection.query<ScoreRow>(SCORES, [batchJson(subjectIds.map((id) => ({ id })))]);
  return new Map(rows.map((row) => [row.id, toScore(row)]));
}

function toScore(row: ScoreRow): CurrentScore {
  const { trust, confidence, tier, scoreVersion } = row;
  const verdict = verdictIn(row);
  const isProved = verdict?.reasons.includes('accounts_proved') ?? false;
  return { trust, confidence, tier, scoreVersion, verdict, verified: row.verified ?? isProved };
}

function verdictIn(row: ScoreRow): Verdict | null {
  const { state, reasons, evidence, confidence, lastCommitAt, metricsReadAt, packageStanding } = row;
  const lastCommit = { at: lastCommitAt, readAt: metricsReadAt };
  if (state !== null) return readVerdict(state, reasons ?? [], lastCommit, packageStanding);
  return evidence === null || confidence === null ? null : verdictOf({ ...evidence, confidence });
}
