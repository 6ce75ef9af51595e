import { accountRefused, sessionLives, sessionUnnoted } from './standing.condition.ts';

function keyCaller(condition: string, ofAccount = ''): string {
  return `SELECT k.account_id, k.id AS key_id, NULL::uuid AS session_id, k.scopes,
      k.revoked_at IS NOT NULL AS revoked, k.paused_at IS NOT NULL AS paused,
      coalesce(k.expires_at <= ledger_now(), false) AS expired, false AS ended, false AS unnoted,
      ${accountRefused('o')} AS suspended${ofAccount}
    FROM access_key k JOIN account o ON o.id = k.account_id WHERE ${condition}`;
}

function sessionCaller(condition: string, ofAccount = ''): string {
  return `SELECT s.account_id, NULL::uuid AS key_id, s.id AS session_id, NULL::text[] AS scopes,
      false AS revoked, false AS paused, false AS expired, NOT (${sessionLives('s')}) AS ended,
      ${sessionUnnoted('s')} AS unnoted, ${accountRefused('o')} AS suspended${ofAccount}
    FROM session s JOIN account o ON o.id = s.account_id WHERE ${condition}`;
}

/** The same as `CALLER`, of a credential whose hash an SQL expression gives, with more columns of the account `o`, behind a comma. */
export const callerOf = {
  key: (hash: string, ofAccount?: string) => keyCaller(`k.key_hash = ${hash}`, ofAccount),
  session: (hash: string, ofAccount?: string) => sessionCaller(`s.token_hash = ${hash}`, ofAccount),
} as const;

/**
 * Who presents a credential whose hash is `$1`, and how they stand: one row, or none where nobody does. Every
 * authenticated route reads it in the statement that does its work, so that no answer rests on what was true before.
 */
export const CALLER = {
  key: callerOf.key('$1'),
  session: callerOf.session('$1'),
} as const;

/** The same by the id of the key or session, whose row is locked until the transaction ends. */
export const LOCKED_CALLER = {
  key: `${keyCaller('k.id = $1')} FOR SHARE OF k`,
  session: `${sessionCaller('s.id = $1')} FOR SHARE OF s`,
} as const;

/** The columns of `CALLER`. */
export interface CallerRow {
  account_id: string;
  key_id: string | null;
  session_id: string | null;
  /** Null for a session, which has every scope that there is. */
  scopes: string[] | null;
  revoked: boolean;
  paused: boolean;
  expired: boolean;
  /** Of a session: ended, idle for too long or too old. */
  ended: boolean;
  /** The account was suspended or deleted. */
  suspended: boolean;
  /** A session whose last use is due to be noted. */
  unnoted: boolean;
}
