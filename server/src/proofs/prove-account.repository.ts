import type { Connection } from '../database/connect.ts';

/** Which account elsewhere, and the link that claims it. */
export interface Claimant {
  linkId: string;
  kind: string;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/**
 * The creators that a proof may change: those of its account and of accounts that prove the same one, or its handle, till
 * now, and anyone who has the handle in the registry.
 */
export async function creatorsConcerned(
  connection: Connection,
  accountId: string,
  { kind, host, handle, hostAccountId }: Claimant,
): Promise<string[]> {
  // SQL: three tables joined by who claims the same account.
  const rows = await connection.query<{ id: string }>(
    `WITH concerned AS (
       SELECT $1::uuid AS account_id UNION SELECT account_id FROM linked_account WHERE proved_at IS NOT NULL
       AND removed_at IS NULL AND kind = $2 AND host = $3 AND (host_account_id = $5 OR lower(handle) = lower($4)))
     SELECT subject_id AS id FROM creator WHERE account_id IN (SELECT account_id FROM concerned)
     UNION SELECT coalesce(merged_into, subject_id) FROM creator WHERE $2 = 'repo_host' AND host = $3
       AND lower(handle) = lower($4)`,
    [accountId, kind, host, handle, hostAccountId],
  );
  return rows.map(({ id }) => id);
}

/** Ends every other proof of the same account: the newer one wins. Answers whose they were, under which handle. */
export function endOtherProofs(
  connection: Connection,
  claimant: Claimant,
): Promise<{ accountId: string; handle: string }[]> {
  const { linkId, kind, host, handle, hostAccountId } = claimant;
  // SQL: RETURNING tells whose they were.
  return connection.query(
    `UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND id <> $1 AND kind = $2 AND host = $3
     AND (host_account_id = $5 OR (lower(handle) = lower($4) AND ($5::text IS NULL OR host_account_id IS NULL)))
     RETURNING account_id AS "accountId", handle`,
    [linkId, kind, host, handle, hostAccountId],
  );
}

/**
 * Another account has had the handle until now: its proof counts no more until a check, due at once, has found it under
 * another handle. Answers whose it is.
 */
export async function displaceHandle(connection: Connection, claimant: Claimant): Promise<string[]> {
  const { linkId, kind, host, handle } = claimant;
  // SQL: RETURNING tells whose they were.
  const rows = await connection.query<{ accountId: string }>(
    `UPDATE linked_account SET checked_at = NULL, check_due_at = ledger_now()
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at IS NOT NULL AND id <> $1 AND kind = $2
     AND host = $3 AND lower(handle) = lower($4) RETURNING account_id AS "accountId"`,
    [linkId, kind, host, handle],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Joins a link to the subject that its account is. */
export async function linkSubject(
  { models, transaction }: Connection,
  linkId: string,
  subjectId: string,
): Promise<void> {
  await models.LinkedAccount.update({ subjectId }, { where: { id: linkId }, transaction });
}
