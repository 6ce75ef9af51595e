import type { Connection } from '../database/connect.ts';
import { HAD_AS_OWNER } from './ended-owner.condition.ts';
import type { ProvedOwner } from './take-over.ts';

/** True where another proof of the same account counts. */
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

/** The repository owner's creator that the account's creator is, or that was merged into it; null where neither. */
export async function findReleasable(
  connection: Connection,
  ownId: string,
  { host, handle, hostAccountId }: ProvedOwner,
): Promise<string | null> {
  // SQL: of two that fit, the one with the host's own id comes first.
  const [bearer] = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM creator WHERE (subject_id = $1 OR merged_into = $1) AND host = $2
     AND (host_account_id = $4 OR lower(handle) = lower($3))
     ORDER BY host_account_id IS NOT DISTINCT FROM $4 DESC, (lower(handle) = lower($3)) DESC LIMIT 1`,
    [ownId, host, handle, hostAccountId],
  );
  return bearer?.id ?? null;
}

/**
 * Finds the owner's repositories that a creator has and that no account here has registered: an import listed them, or
 * an account that was deleted since.
 */
export async function unregisteredListings(
  connection: Connection,
  creatorId: string,
  { accountId, host, handle, hostAccountId }: ProvedOwner,
): Promise<string[]> {
  // SQL: the owner may be a part of the repository's name.
  const rows = await connection.query<{ id: string }>(
    `SELECT l.subject_id AS id FROM listing l WHERE l.creator_id = $5 AND l.host = $2 AND ${HAD_AS_OWNER}
     AND NOT EXISTS (SELECT FROM creator c WHERE c.account_id = l.registered_by) ORDER BY 1`,
    [accountId, host, handle, hostAccountId, creatorId],
  );
  return rows.map(({ id }) => id);
}

/** Calls a creator what the last import calls it; imports left its names alone while it was an account's. */
export async function restoreCreator(
  connection: Connection,
  creatorId: string,
  forgetsId: boolean,
): Promise<void> {
  // SQL: the names come out of the stored import, and the subject's out of the creator's.
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
