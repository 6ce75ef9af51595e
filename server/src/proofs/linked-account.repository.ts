import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import type { CodePlace } from '../hosts/host-account.ts';
import type { LinkedAccount, ProvedBy } from './linked-account.ts';

const COLUMNS = `k.id, k.account_id AS "accountId", k.kind, k.host, k.handle,
  CASE WHEN k.proved_at IS NULL THEN 'pending' WHEN k.checked_at > ledger_now() - interval '60 days' THEN 'proved'
    ELSE 'lapsed' END AS state,
  k.code, utc_text(k.code_expires_at) AS "codeExpiresAt", coalesce(k.code_expires_at <= ledger_now(), true) AS "codeExpired",
  utc_text(k.proved_at) AS "provedAt", k.proved_by AS "provedBy", k.evidence_url AS "evidenceUrl",
  k.code_place AS "codePlace", k.host_account_id AS "hostAccountId", utc_text(k.host_account_created_at) AS "hostAccountCreatedAt",
  utc_text(k.checked_at) AS "checkedAt", utc_text(k.check_failed_at) AS "checkFailedAt",
  utc_text(k.checked_at + interval '60 days') AS "countsUntil", utc_text(k.created_at) AS "createdAt"`;

/** An account's links that were not removed, oldest first. */
export function listLinkedAccounts(connection: Connection, accountId: string): Promise<LinkedAccount[]> {
  return connection.query<LinkedAccount>(
    `SELECT ${COLUMNS} FROM linked_account k WHERE k.account_id = $1 AND k.removed_at IS NULL ORDER BY k.id`,
    [accountId],
  );
}

/** One of an account's links, or null where it is another account's, was removed or never was. */
export async function findLinkedAccount(
  connection: Connection,
  accountId: string,
  id: string,
): Promise<LinkedAccount | null> {
  const [link] = await connection.query<LinkedAccount>(
    `SELECT ${COLUMNS} FROM linked_account k
     WHERE k.account_id = $2 AND k.id::text = lower($1) AND k.removed_at IS NULL`,
    [id, accountId],
  );
  return link ?? null;
}

/** Stores a link that waits for its code; the same account asked for again gets the new code in place of the old one. */
export async function savePendingLink(
  connection: Connection,
  link: { id: string; accountId: string; kind: AccountKind; host: string; handle: string; code: string },
): Promise<LinkedAccount> {
  const [saved] = await connection.query<LinkedAccount>(
    `INSERT INTO linked_account AS k (id, account_id, kind, host, handle, code, code_expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, ledger_now() + interval '24 hours')
     ON CONFLICT (account_id, kind, host, lower(handle)) WHERE proved_at IS NULL
     DO UPDATE SET handle = excluded.handle, code = excluded.code, code_expires_at = excluded.code_expires_at
     RETURNING ${COLUMNS}`,
    [link.id, link.accountId, link.kind, link.host, link.handle, link.code],
  );
  return saved as LinkedAccount;
}

/** Stores a link that somebody confirmed; it counts once a good check is noted. */
export async function saveConfirmedLink(
  connection: Connection,
  link: {
    id: string;
    accountId: string;
    kind: AccountKind;
    host: string;
    handle: string;
    evidenceUrl: string;
  },
): Promise<void> {
  await connection.query(
    `INSERT INTO linked_account (id, account_id, kind, host, handle, evidence_url, proved_at, proved_by, check_due_at)
     VALUES ($1, $2, $3, $4, $5, $6, ledger_now(), 'operator', ledger_now())`,
    [link.id, link.accountId, link.kind, link.host, link.handle, link.evidenceUrl],
  );
}

/** Forgets an account's links that were never proved and whose code has expired; answers how many others it has. */
export async function dropExpiredLinks(connection: Connection, accountId: string): Promise<number> {
  await connection.query(
    'DELETE FROM linked_account WHERE account_id = $1 AND proved_at IS NULL AND code_expires_at <= ledger_now()',
    [accountId],
  );
  const [row] = await connection.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM linked_account WHERE account_id = $1 AND removed_at IS NULL',
    [accountId],
  );
  return row?.count ?? 0;
}

/** Notes a good check now; the first one is the proof. The next one is due in 30 days. */
export async function saveGoodCheck(
  connection: Connection,
  id: string,
  provedBy: ProvedBy,
  found: {
    handle: string;
    hostAccountId: string | null;
    createdAt: string | null;
    codePlace: CodePlace | null;
  },
): Promise<void> {
  await connection.query(
    `UPDATE linked_account SET proved_at = coalesce(proved_at, ledger_now()), proved_by = coalesce(proved_by, $2),
       handle = $3, host_account_id = coalesce($4, host_account_id),
       host_account_created_at = coalesce($5::timestamptz, host_account_created_at), checked_at = ledger_now(),
       code_place = $6, check_failed_at = NULL, lapsed_at = NULL, check_due_at = ledger_now() + interval '30 days' WHERE id = $1`,
    [id, provedBy, found.handle, found.hostAccountId, found.createdAt, found.codePlace],
  );
}

/** Notes a failed check; it is tried again after six hours, and the proof counts until its time is over. */
export async function saveFailedCheck(connection: Connection, id: string): Promise<void> {
  await connection.query(
    `UPDATE linked_account SET check_failed_at = ledger_now(), check_due_at = ledger_now() + interval '6 hours'
     WHERE id = $1 AND removed_at IS NULL AND proved_at IS NOT NULL`,
    [id],
  );
}

/** Ends a link: a proved one is kept as removed, one that waits is forgotten. */
export async function endLink(connection: Connection, id: string): Promise<void> {
  await connection.query('DELETE FROM linked_account WHERE id = $1 AND proved_at IS NULL', [id]);
  await connection.query(
    `UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL
     WHERE id = $1 AND proved_at IS NOT NULL AND removed_at IS NULL`,
    [id],
  );
}
