import { accountIsBlocked } from '../../access/callers/caller.fragment.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FUTURE, fromNow, NOW, PAST } from '../../platform/database/models/table.ts';
import type { ProviderName } from './identity-provider.ts';

/** Stores an attempt that expires after `minutes`, and deletes all expired attempts. */
export async function insertAttempt(
  { models, transaction }: Connection,
  { minutes, ...attempt }: { tokenHash: Buffer; provider: ProviderName; nextPath: string; minutes: number },
): Promise<void> {
  await models.SignInAttempt.destroy({ where: { expiresAt: PAST }, transaction });
  const row = { ...attempt, expiresAt: fromNow(`${minutes} minutes`) };
  await models.SignInAttempt.create(row, { transaction, returning: false });
}

/** Deletes and returns an attempt, expired or not; null if there is none. */
export async function deleteAttempt(
  connection: Connection,
  tokenHash: Buffer,
): Promise<{ provider: ProviderName; nextPath: string; isLiving: boolean } | null> {
  // SQL: DELETE … RETURNING, so that only one of concurrent callers gets it.
  const [attempt] = await connection.query<{ provider: ProviderName; nextPath: string; isLiving: boolean }>(
    `DELETE FROM sign_in_attempt WHERE token_hash = $1
     RETURNING provider, next_path AS "nextPath", expires_at > ledger_now() AS "isLiving"`,
    [tokenHash],
  );
  return attempt ?? null;
}

/**
 * Stores a link that expires after `minutes`, and deletes the account's expired links. Returns false if the account
 * does not exist, or is suspended or deleted.
 */
export async function insertLink(
  connection: Connection,
  link: { id: string; accountId: string; tokenHash: Buffer; minutes: number },
): Promise<boolean> {
  // SQL: checks the account's state in the statement that stores the link.
  const made = await connection.query(
    `WITH over AS (DELETE FROM sign_in_link WHERE account_id = $2 AND expires_at <= ledger_now())
     INSERT INTO sign_in_link (id, account_id, token_hash, expires_at)
     SELECT $1, a.id, $3, ledger_now() + make_interval(mins => $4) FROM account a
     WHERE a.id = $2 AND NOT ${accountIsBlocked('a')} RETURNING id`,
    [link.id, link.accountId, link.tokenHash, link.minutes],
  );
  return made.length === 1;
}

/** Returns the handle or id of the account of a usable link; null for any other link. */
export async function findLinkOwnerName(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // SQL: joins the account, because a link of a suspended or deleted account is not usable.
  const [owner] = await connection.query<{ name: string }>(
    `SELECT coalesce(a.handle, a.id::text) AS name FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND l.redeemed_at IS NULL AND l.expires_at > ledger_now() AND NOT ${accountIsBlocked('a')}`,
    [tokenHash],
  );
  return owner?.name ?? null;
}

/**
 * Locks the account of a link until the transaction ends; null if the link is unknown, or the account is suspended or
 * deleted.
 */
export async function lockAccountOfLink(connection: Connection, tokenHash: Buffer): Promise<string | null> {
  // SQL: finds the account by the link, locks it, and then checks the account's state, which may have changed during
  // the wait.
  const [account] = await connection.query<{ id: string }>(
    `SELECT a.id FROM account a JOIN sign_in_link l ON l.account_id = a.id
     WHERE l.token_hash = $1 AND NOT ${accountIsBlocked('a')} FOR SHARE OF a`,
    [tokenHash],
  );
  return account?.id ?? null;
}

/**
 * Marks a link as redeemed; false if it was already redeemed or has expired. Only one of concurrent calls returns
 * true.
 */
export async function saveRedeemed({ models, transaction }: Connection, tokenHash: Buffer): Promise<boolean> {
  const [redeemed] = await models.SignInLink.update(
    { redeemedAt: NOW },
    { where: { tokenHash, redeemedAt: null, expiresAt: FUTURE }, transaction },
  );
  return redeemed === 1;
}
