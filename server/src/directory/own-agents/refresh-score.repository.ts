import type { Connection } from '../../database/connect.ts';

/** The subject of an account's own listing, by its `AGT-` id in upper or lower case; null where it is not theirs. */
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

/** Whether a score may be asked for again: nobody did within the last minute, and the score there is is older. */
export interface RefreshClaim {
  isClaimed: boolean;
  /** The current score is younger than a minute. */
  isFresh: boolean;
  /** Until it may be asked for again; 0 where it may. */
  waitSeconds: number;
}

/** For so long after an asking, and after a score, nobody's asking reaches the scoring backend. */
export const PAUSE_SECONDS = 60;
const PAUSE = `interval '${PAUSE_SECONDS} seconds'`;

// One statement asks and notes: of many at once it lets one through.
const CLAIM_SQL = `
INSERT INTO score_refresh AS r (subject_id, asked_at)
SELECT s.id, ledger_now() FROM subject s
WHERE s.id = $1 AND (s.current_version IS NULL OR s.current_version <= ledger_now() - ${PAUSE})
ON CONFLICT (subject_id) DO UPDATE SET asked_at = excluded.asked_at
WHERE r.asked_at <= excluded.asked_at - ${PAUSE} RETURNING 1 AS one`;

const STANDING_SQL = `
SELECT coalesce(s.current_version > ledger_now() - ${PAUSE}, false) AS "isFresh",
  coalesce(ceil(extract(epoch FROM r.asked_at + ${PAUSE} - ledger_now())), 0)::int AS "waitSeconds"
FROM subject s LEFT JOIN score_refresh r ON r.subject_id = s.id WHERE s.id = $1`;

/** Notes that a listing is scored again now, unless its score or the last asking is younger than a minute. */
export async function claimRefresh(connection: Connection, subjectId: string): Promise<RefreshClaim> {
  const claimed = await connection.query(CLAIM_SQL, [subjectId]);
  if (claimed.length > 0) return { isClaimed: true, isFresh: false, waitSeconds: 0 };
  const [standing] = await connection.query<Omit<RefreshClaim, 'isClaimed'>>(STANDING_SQL, [subjectId]);
  const { isFresh = false, waitSeconds = 1 } = standing ?? {};
  return { isClaimed: false, isFresh, waitSeconds: Math.max(1, waitSeconds) };
}
