import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';

/** The proof that an account has of one elsewhere, by the host's own id of it, or null; fresh is a check of the last day. */
export async function findSignInProof(
  connection: Connection,
  proof: { accountId: string; kind: AccountKind; host: string; hostAccountId: string },
): Promise<{ id: string; handle: string; isFresh: boolean } | null> {
  const [link] = await connection.query<{ id: string; handle: string; isFresh: boolean }>(
    `SELECT id, handle, coalesce(checked_at > ledger_now() - interval '1 day', false) AS "isFresh" FROM linked_account
     WHERE account_id = $1 AND kind = $2 AND host = $3 AND host_account_id = $4 AND proved_at IS NOT NULL
       AND removed_at IS NULL`,
    [proof.accountId, proof.kind, proof.host, proof.hostAccountId],
  );
  return link ?? null;
}

/**
 * Stores a link that an identity provider vouches for, in place of one to the same account that waits for its code; it
 * counts once a good check is noted.
 */
export async function saveVouchedLink(
  connection: Connection,
  link: { id: string; accountId: string; kind: AccountKind; host: string; handle: string },
): Promise<void> {
  const { id, accountId, kind, host, handle } = link;
  await connection.query(
    `DELETE FROM linked_account
     WHERE account_id = $1 AND kind = $2 AND host = $3 AND lower(handle) = lower($4) AND proved_at IS NULL`,
    [accountId, kind, host, handle],
  );
  await connection.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, check_due_at)
     VALUES ($1, $2, $3, $4, $5, ledger_now(), 'identity_provider', ledger_now())`,
    [id, accountId, kind, host, handle],
  );
}
