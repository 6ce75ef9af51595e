import type { Connection } from '../../platform/database/connect.ts';
import type { ProvedOwner } from './claim-handle.ts';
import { HAD_AS_OWNER } from './ownership.queries.ts';

/** Returns true if another proof of the same host account is valid. */
export async function isStillProved(
  connection: Connection,
  { accountId, host, handle, hostAccountId }: ProvedOwner,
): Promise<boolean> {
  // SQL: `proved_account` is a view.
  const proofs = await connection.query(
    `SELECT 1 AS one FROM proved_account WHERE account_id = $1 AND kind = 'repo_host' AND host = $2
     AND (host_account_id = $4 OR (lower(handle) = lower($3) AND ($4::text IS NULL OR host_account_id IS NULL)))`,
    [accountId, host, handle, hostAccountId],
  );
  return proofs.length > 0;
}

/**
 * Returns the creator of the repository owner, if this creator is the account's own or was merged into the account's
 * own creator. Returns null otherwise.
 */
export async function findDetachableCreator(
  connection: Connection,
  ownId: string,
  { host, handle, hostAccountId }: ProvedOwner,
): Promise<string | null> {
  // SQL: of two candidates, the one with the host's id comes first.
  const [creator] = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM creator WHERE (subject_id = $1 OR merged_into = $1) AND host = $2
     AND (host_account_id = $4 OR lower(handle) = lower($3))
     ORDER BY host_account_id IS NOT DISTINCT FROM $4 DESC, (lower(handle) = lower($3)) DESC LIMIT 1`,
    [ownId, host, handle, hostAccountId],
  );
  return creator?.id ?? null;
}

/**
 * Returns the repositories of the owner, listed under a creator, that no existing account has registered: they were
 * listed by an import, or by an account that has since been deleted.
 */
export async function unregisteredListings(
  connection: Connection,
  creatorId: string,
  { accountId, host, handle, hostAccountId }: ProvedOwner,
): Promise<string[]> {
  // SQL: for some listings the owner is known only from the repository's name (`owner/name`).
  const rows = await connection.query<{ id: string }>(
    `SELECT l.subject_id AS id FROM listing l WHERE l.creator_id = $5 AND l.host = $2 AND ${HAD_AS_OWNER}
     AND NOT EXISTS (SELECT FROM creator c WHERE c.account_id = l.registered_by) ORDER BY 1`,
    [accountId, host, handle, hostAccountId, creatorId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Restores a creator's names from the last import. Imports do not change them while an account owns the creator.
 * Without an import, the names stay. `forgetsId` also clears the host's id.
 */
export async function restoreCreator(
  connection: Connection,
  creatorId: string,
  forgetsId: boolean,
): Promise<void> {
  // SQL: the names come from the stored import, and the subject's name from the creator's.
  await connection.query(
    `UPDATE creator SET display_name = CASE WHEN imported IS NULL THEN display_name
         ELSE nullif(btrim(imported ->> 'displayName'), '') END,
       handle = CASE WHEN lower(imported ->> 'handle') = lower(handle) THEN imported ->> 'handle' ELSE handle END,
       host_account_id = CASE WHEN $2 THEN NULL ELSE host_account_id END, updated_at = ledger_now()
     WHERE subject_id = $1`,
    [creatorId, forgetsId],
  );
  await connection.query(
    `UPDATE subject s SET name = coalesce(c.display_name, c.handle) FROM creator c
     WHERE c.subject_id = s.id AND s.id = $1`,
    [creatorId],
  );
}
