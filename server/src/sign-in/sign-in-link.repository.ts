import { accountRefused } from '../callers/standing.condition.ts';
import type { Connection } from '../database/connect.ts';
import { AHEAD, NOW } from '../database/models/expressions.ts';

/**
 * Stores a link for some minutes, and forgets those of the same account that are over. False where there is no such
 * account, or it is refused.
 */
export async function insertLink(
  connection: Connection,
  link: { id: string; accountId: string; tokenHash: Buffer; minutes: number },
): Promise<boolean> {
  // SQL: the account's standing is judged in the statement that stores the link.
  const made = await connection.query(
    `WITH over AS (DELETE FROM sign_in_link WHERE account_id = $2 AND expires_at <= ledger_now())
     INSERT INTO sign_in_link (id, account_id, token_hash, expires_at)
     SELECT $1, a.id, $3, ledger_now() + make_interval(mins => $4) FROM account a
     WHERE a.id = $2 AND NOT ${accountRefused('a')} RETURNING id`,
    [link.id, link.accountId, link.tokenHash, link.minutes],
  );
  return made.length === 1;
}

/** The handle or id of the account that a link would let somebody in to now; null for a link that would not. */
export async function findLinkOwnerName(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // SQL: a join with the account, whose standing counts.
  const [owner] = await connection.query<{ name: string }>(
    `SELECT coalesce(a.handle, a.id::text) AS name FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND l.redeemed_at IS NULL AND l.expires_at > ledger_now() AND NOT ${accountRefused('a')}`,
    [tokenHash],
  );
  return owner?.name ?? null;
}

/** The account of a link, where it is not refused, kept so until the transaction ends; or null. */
export async function lockAccountOfLink(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // SQL: the lock is on the account, which is found by the link, and its standing is judged after the wait.
  const [account] = await connection.query<{ id: string }>(
    `SELECT a.id FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND NOT ${accountRefused('a')} FOR SHARE OF a`,
    [tokenHash],
  );
  return account?.id ?? null;
}

/** Uses a link up; false where it was used before or is too old. Of any number at once one gets true. */
export async function saveRedeemed({ models, transaction }: Connection, tokenHash: Buffer): Promise<boolean> {
  const [redeemed] = await models.SignInLink.update(
    { redeemedAt: NOW },
    { where: { tokenHash, redeemedAt: null, expiresAt: AHEAD }, transaction },
  );
  return redeemed === 1;
}
