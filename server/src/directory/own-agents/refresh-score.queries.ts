import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Facts } from '../../scoring/fact-types.ts';

/**
 * Returns the subject id of an account's listing by its `AGT-` id, ignoring case. Null if the account has no such
 * listing.
 */
export async function findOwnSubject(
  connection: Connection,
  accountId: string,
  agentId: string,
): Promise<string | null> {
  const [listing] = await connection.query<{ id: string }>(
    `SELECT l.subject_id AS id FROM listing l JOIN creator c ON c.subject_id = l.creator_id
     WHERE c.account_id = $1 AND l.agent_id = upper($2)`,
    [accountId, agentId],
  );
  return listing?.id ?? null;
}

/**
 * Result of a request for a new score. `isClaimed` is true if the request is allowed: if neither the previous request
 * nor the current score is younger than a minute.
 */
export interface RefreshClaim {
  isClaimed: boolean;
  /** True if the current score is younger than a minute. */
  isFresh: boolean;
  /** Seconds until the pause after the last request ends, at least 1; 0 if this request is allowed. */
  waitSeconds: number;
}

/** Minimum time between a request or a score and the next request that reaches the scoring backend. */
export const PAUSE_SECONDS = 60;
const PAUSE = `interval '${PAUSE_SECONDS} seconds'`;

// Checks and records the request in one statement, so that only one of several concurrent requests succeeds.
const CLAIM_SQL = `
INSERT INTO score_refresh AS r (subject_id, asked_at)
SELECT s.id, ledger_now() FROM subject s
WHERE s.id = $1 AND (s.current_version IS NULL OR s.current_version <= ledger_now() - ${PAUSE})
ON CONFLICT (subject_id) DO UPDATE SET asked_at = excluded.asked_at
WHERE r.asked_at <= excluded.asked_at - ${PAUSE} RETURNING 1 AS one`;

const STATUS_SQL = `
SELECT coalesce(s.current_version > ledger_now() - ${PAUSE}, false) AS "isFresh",
  coalesce(ceil(extract(epoch FROM r.asked_at + ${PAUSE} - ledger_now())), 0)::int AS "waitSeconds"
FROM subject s LEFT JOIN score_refresh r ON r.subject_id = s.id WHERE s.id = $1`;

/** Records a request for a new score, unless the last score or request is younger than a minute. */
export async function claimRefresh(connection: Connection, subjectId: string): Promise<RefreshClaim> {
  const claimed = await connection.query(CLAIM_SQL, [subjectId]);
  if (claimed.length > 0) return { isClaimed: true, isFresh: false, waitSeconds: 0 };
  const [status] = await connection.query<Omit<RefreshClaim, 'isClaimed'>>(STATUS_SQL, [subjectId]);
  const { isFresh = false, waitSeconds = 1 } = status ?? {};
  return { isClaimed: false, isFresh, waitSeconds: Math.max(1, waitSeconds) };
}

/** Facts from which a listing's current score was computed. */
interface ScoredFacts {
  id: string;
  type: 'agent' | 'skill';
  /** The npm package if it is confirmed; otherwise null. */
  npmPackage: string | null;
  pypiPackage: string | null;
  source: string;
  methodVersion: string | null;
  facts: Facts | null;
  scoredAt: Date;
  /** Database time of this reading. */
  readAt: Date;
}

/** Loads the facts of these listings' current scores, in no particular order. Listings without a score are skipped. */
export function loadScoredFacts(connection: Connection, ids: readonly string[]): Promise<ScoredFacts[]> {
  return connection.query<ScoredFacts>(
    `SELECT l.subject_id AS id, l.type, CASE WHEN l.npm_confirmed THEN l.npm_package END AS "npmPackage",
       CASE WHEN l.pypi_confirmed THEN l.pypi_package END AS "pypiPackage", v.source,
       v.method_version AS "methodVersion", v.inputs -> 'facts' AS facts, v.version AS "scoredAt",
       ledger_now() AS "readAt"
     FROM (${batchRows('id uuid')}) AS asked JOIN listing l ON l.subject_id = asked.id JOIN subject s ON s.id = l.subject_id
     JOIN score v ON v.subject_id = s.id AND v.version = s.current_version`,
    [batchJson(ids.map((id) => ({ id })))],
  );
}
