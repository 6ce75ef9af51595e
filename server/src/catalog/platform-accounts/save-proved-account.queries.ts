import type { Connection } from '../../platform/database/connect.ts';
import type { ProvedPlatformAccount } from './save-proved-account.ts';

/** A listed account that may be the proved one. */
export interface ListedAccount {
  id: string;
  type: string;
  handle: string;
  platformAccountId: string | null;
}

/** Finds the listed accounts with the platform's id or with the handle: at most two. */
export function findListedAccounts(
  connection: Connection,
  { type, platform, handle, platformAccountId }: ProvedPlatformAccount,
): Promise<ListedAccount[]> {
  return connection.query<ListedAccount>(
    `SELECT subject_id AS id, type, handle, platform_account_id AS "platformAccountId" FROM platform_account
     WHERE platform = $2 AND (platform_account_id = $4 OR (type = $1 AND lower(handle) = lower($3)))`,
    [type, platform, handle, platformAccountId],
  );
}

/**
 * Updates a listed account with what its platform shows. Unknown values stay unchanged, and the old handle becomes a
 * former one. The caller has locked the account's subject, and no other account has the handle.
 */
export async function saveObservations(
  connection: Connection,
  id: string,
  { handle, platformAccountId, createdAt, facts }: ProvedPlatformAccount,
): Promise<void> {
  await connection.query(
    `UPDATE platform_account p SET handle = $2, platform_account_id = coalesce(p.platform_account_id, $3),
       former_handles = CASE WHEN lower(p.handle) = lower($2) OR strpos(p.handle, '~') > 0 THEN p.former_handles
         ELSE array_append(array_remove(p.former_handles, p.handle), p.handle) END,
       account_created_at = coalesce($4::timestamptz, p.account_created_at), name = coalesce($5, p.name),
       verified_mark = coalesce($6, p.verified_mark), audience = coalesce($7, p.audience),
       last_post_at = coalesce($8::timestamptz, p.last_post_at),
       observed_at = CASE WHEN $9 THEN ledger_now() ELSE p.observed_at END, updated_at = ledger_now()
     WHERE p.subject_id = $1`,
    [
      id,
      handle,
      platformAccountId,
      createdAt,
      facts?.name ?? null,
      facts?.verifiedMark ?? null,
      facts?.audience ?? null,
      facts?.lastPostAt ?? null,
      facts !== null,
    ],
  );
  await connection.query(
    `UPDATE subject s SET name = coalesce(p.name, p.handle) FROM platform_account p
     WHERE p.subject_id = s.id AND s.id = $1 AND s.name <> coalesce(p.name, p.handle)`,
    [id],
  );
}

/** Records that the platform was read now. */
export async function markObserved(connection: Connection, id: string): Promise<void> {
  await connection.query('UPDATE platform_account SET observed_at = ledger_now() WHERE subject_id = $1', [
    id,
  ]);
}
