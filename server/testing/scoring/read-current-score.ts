import type { Connection } from '../../src/platform/database/connect.ts';
import { METHOD } from '../../src/scoring/embedded/current-method.ts';
import type { Cap, Contribution, Tier } from '../../src/scoring/scoring-backend.ts';

/** A subject's current score as stored. Times are ISO 8601 UTC with six decimals. */
interface StoredScore {
  subjectId: string;
  subjectType: string;
  version: string;
  /** Seven days after the version, by the method's validity. */
  expiresAt: string;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: 'complete' | 'partial';
  ownTrust: number;
  ownConfidence: number;
  coverage: number | null;
  source: string;
  methodVersion: string | null;
  freshness: string;
  inputsHash: string | null;
  contributions: Contribution[];
  caps: Cap[];
}

const READ_SQL = `
SELECT v.subject_id AS "subjectId", v.subject_type AS "subjectType", utc_text(v.version) AS version,
  utc_text(v.version + $2 * interval '1 day') AS "expiresAt", v.trust, v.confidence, v.lower_bound AS "lowerBound",
  v.tier, v.status, v.own_trust AS "ownTrust", v.own_confidence AS "ownConfidence", v.coverage, v.source,
  v.method_version AS "methodVersion", utc_text(v.freshness) AS freshness, v.inputs_hash AS "inputsHash",
  v.contributions, v.caps
FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
WHERE s.id = $1`;

/** Returns a subject's current confirmed score; null without one. */
export async function readCurrentScore(
  connection: Connection,
  subjectId: string,
): Promise<StoredScore | null> {
  const [row] = await connection.query<StoredScore>(READ_SQL, [subjectId, METHOD.validForDays]);
  return row ?? null;
}
