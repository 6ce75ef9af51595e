import type { Connection } from '../../platform/database/connect.ts';

/** A host account with the link that claims it. */
export interface Claimant {
  linkId: string;
  kind: string;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/**
 * Finds the accounts and creators that a proof may change: its directory account, all accounts with a proof of the same
 * host account or of its handle, the creators of these accounts, and the creator that has the handle.
 */
export async function findConcerned(
  connection: Connection,
  accountId: string,
  { kind, host, handle, hostAccountId }: Claimant,
): Promise<{ accounts: string[]; creators: string[] }> {
  // SQL: three tables joined by who claims the same account.
  const [found] = await connection.query<{ accounts: string[]; creators: string[] }>(
    `WITH concerned AS (
       SELECT $1::uuid AS account_id UNION SELECT account_id FROM linked_account WHERE proved_at IS NOT NULL
       AND removed_at IS NULL AND kind = $2 AND host = $3 AND (host_account_id = $5 OR lower(handle) = lower($4)))
     SELECT ARRAY(SELECT account_id FROM concerned ORDER BY 1) AS accounts, ARRAY(
       SELECT subject_id FROM creator WHERE account_id IN (SELECT account_id FROM concerned)
       UNION SELECT coalesce(merged_into, subject_id) FROM creator WHERE $2 = 'repo_host' AND host = $3
         AND lower(handle) = lower($4)) AS creators`,
    [accountId, kind, host, handle, hostAccountId],
  );
  return found ?? { accounts: [], creators: [] };
}

/** Ends all other proofs of the same host account, since the newest wins. Returns their accounts and handles. */
export function endOtherProofs(
  connection: Connection,
  claimant: Claimant,
): Promise<{ accountId: string; handle: string }[]> {
  const { linkId, kind, host, handle, hostAccountId } = claimant;
  // SQL: RETURNING supplies their accounts.
  return connection.query(
    `UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND id <> $1 AND kind = $2 AND host = $3
     AND (host_account_id = $5 OR (lower(handle) = lower($4) AND ($5::text IS NULL OR host_account_id IS NULL)))
     RETURNING account_id AS "accountId", handle`,
    [linkId, kind, host, handle, hostAccountId],
  );
}

/**
 * Suspends the proof of the host account that had this handle before, and makes its check due now. The proof becomes
 * valid again if the check finds the host account under another handle. Returns the directory accounts of suspended
 * proofs.
 */
export async function suspendHandleProofs(connection: Connection, claimant: Claimant): Promise<string[]> {
  const { linkId, kind, host, handle } = claimant;
  // SQL: RETURNING supplies their accounts.
  const rows = await connection.query<{ accountId: string }>(
    `UPDATE linked_account SET checked_at = NULL, check_due_at = ledger_now()
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at IS NOT NULL AND id <> $1 AND kind = $2
     AND host = $3 AND lower(handle) = lower($4) RETURNING account_id AS "accountId"`,
    [linkId, kind, host, handle],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Connects a link to the subject of its account. */
export async function linkSubject(
  { models, transaction }: Connection,
  linkId: string,
  subjectId: string,
): Promise<void> {
  await models.LinkedAccount.update({ subjectId }, { where: { id: linkId }, transaction });
}
