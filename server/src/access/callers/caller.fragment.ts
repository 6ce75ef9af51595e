/** Idle timeout of a session. */
export const IDLE_TIMEOUT = "interval '30 minutes'";

// Minimum time between two writes of a session's last use.
const SEEN_EVERY = "interval '1 minute'";

/** Builds SQL that is true if the key `alias` is active: not revoked, paused or expired. */
export function keyIsActive(alias: string): string {
  return `${alias}.revoked_at IS NULL AND ${alias}.paused_at IS NULL
    AND (${alias}.expires_at IS NULL OR ${alias}.expires_at > ledger_now())`;
}

/**
 * Builds SQL that is true if the session `alias` is active: not ended, used within 30 minutes, and not older than its
 * maximum lifetime.
 */
export function sessionIsActive(alias: string): string {
  return `${alias}.ended_at IS NULL AND ${alias}.expires_at > ledger_now()
    AND ${alias}.last_seen_at > ledger_now() - ${IDLE_TIMEOUT}`;
}

/**
 * Builds SQL that is true if the recorded last use of the session `alias` is at least a minute old, so that a use now
 * must be recorded.
 */
export function sessionUseIsDue(alias: string): string {
  return `${alias}.last_seen_at <= ledger_now() - ${SEEN_EVERY}`;
}

/**
 * Builds SQL that is true if the account `alias` is suspended or deleted, so that its keys and sessions are refused.
 */
export function accountIsBlocked(alias: string): string {
  return `(${alias}.suspended_at IS NOT NULL OR ${alias}.deleted_at IS NOT NULL)`;
}

function keyCaller(condition: string, ofAccount = ''): string {
  return `SELECT k.account_id, k.id AS key_id, NULL::uuid AS session_id, k.scopes,
      k.revoked_at IS NOT NULL AS revoked, k.paused_at IS NOT NULL AS paused,
      coalesce(k.expires_at <= ledger_now(), false) AS expired, false AS ended, false AS use_is_due,
      ${accountIsBlocked('o')} AS suspended${ofAccount}
    FROM access_key k JOIN account o ON o.id = k.account_id WHERE ${condition}`;
}

function sessionCaller(condition: string, ofAccount = ''): string {
  return `SELECT s.account_id, NULL::uuid AS key_id, s.id AS session_id, NULL::text[] AS scopes,
      false AS revoked, false AS paused, false AS expired, NOT (${sessionIsActive('s')}) AS ended,
      ${sessionUseIsDue('s')} AS use_is_due, ${accountIsBlocked('o')} AS suspended${ofAccount}
    FROM session s JOIN account o ON o.id = s.account_id WHERE ${condition}`;
}

/**
 * Builds the query that finds a caller by the hash of its credential, which is given as an SQL expression. `ofAccount`
 * adds columns of the account `o`, with a leading comma.
 */
export const callerOf = {
  key: (hash: string, ofAccount?: string) => keyCaller(`k.key_hash = ${hash}`, ofAccount),
  session: (hash: string, ofAccount?: string) => sessionCaller(`s.token_hash = ${hash}`, ofAccount),
} as const;

/**
 * Selects the caller with the credential hash `$1` and its status: one row, or none for an unknown credential. Routes
 * that judge the credential themselves (metered calls and receipts) read the caller in the same statement as their
 * data, so that their results never rely on an outdated status. All other routes read it in an earlier statement.
 */
export const CALLER = {
  key: callerOf.key('$1'),
  session: callerOf.session('$1'),
} as const;

/** Selects a caller by the id of its key or session, and locks that row until the transaction ends. */
export const LOCKED_CALLER = {
  key: `${keyCaller('k.id = $1')} FOR SHARE OF k`,
  session: `${sessionCaller('s.id = $1')} FOR SHARE OF s`,
} as const;

/** Result columns of `CALLER`. */
export interface CallerRow {
  account_id: string;
  key_id: string | null;
  session_id: string | null;
  /** Null for a session, which has all scopes. */
  scopes: string[] | null;
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  /** True for a session that was ended, was idle too long or has reached its maximum lifetime. */
  ended: boolean;
  /** True if the account is suspended or deleted. */
  suspended: boolean;
  /** True if the session's recorded last use is at least a minute old, so that this use must be recorded. */
  use_is_due: boolean;
}
