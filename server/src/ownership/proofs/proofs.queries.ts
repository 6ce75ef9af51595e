import type { Connection } from '../../platform/database/connect.ts';
import { ALL, NOT_NULL, sql } from '../../platform/database/models/table.ts';
import type { WithdrawnProof } from './lapse-proofs.ts';
import type { LinkedAccount } from './linked-account.queries.ts';

/** A host account, with the link that connects a directory account to it. */
export interface Claimant {
  linkId: string;
  kind: string;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/**
 * Finds the accounts and creators that a proof may change: the directory account that gives the proof, all accounts
 * with a proof of the same host account or of the same handle, the creators of these accounts, and the creator that has
 * the handle.
 */
export async function findConcerned(
  connection: Connection,
  accountId: string,
  { kind, host, handle, hostAccountId }: Claimant,
): Promise<{ accounts: string[]; creators: string[] }> {
  // Raw SQL: collects accounts and creators from two tables in one statement.
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

/**
 * Ends all other proofs of the same host account, because the newest one wins. Returns their directory accounts and
 * handles.
 */
export function endOtherProofs(
  connection: Connection,
  claimant: Claimant,
): Promise<{ accountId: string; handle: string }[]> {
  const { linkId, kind, host, handle, hostAccountId } = claimant;
  // Raw SQL: RETURNING supplies the accounts of the ended proofs.
  return connection.query(
    `UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND id <> $1 AND kind = $2 AND host = $3
     AND (host_account_id = $5 OR (lower(handle) = lower($4) AND ($5::text IS NULL OR host_account_id IS NULL)))
     RETURNING account_id AS "accountId", handle`,
    [linkId, kind, host, handle, hostAccountId],
  );
}

/**
 * Suspends the proof of the host account that had this handle before, and makes the check of that proof due now. The
 * proof becomes valid again if the check finds that host account under another handle. Returns the directory accounts
 * of suspended proofs.
 */
export async function suspendHandleProofs(connection: Connection, claimant: Claimant): Promise<string[]> {
  const { linkId, kind, host, handle } = claimant;
  // Raw SQL: RETURNING supplies the accounts of the suspended proofs.
  const rows = await connection.query<{ accountId: string }>(
    `UPDATE linked_account SET checked_at = NULL, check_due_at = ledger_now()
     WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at IS NOT NULL AND id <> $1 AND kind = $2
     AND host = $3 AND lower(handle) = lower($4) RETURNING account_id AS "accountId"`,
    [linkId, kind, host, handle],
  );
  return rows.map(({ accountId }) => accountId);
}

/** Stores in a link the subject id of its social or messaging account. */
export async function linkSubject(
  { models, transaction }: Connection,
  linkId: string,
  subjectId: string,
): Promise<void> {
  await models.LinkedAccount.update({ subjectId }, { where: { id: linkId }, transaction });
}

/**
 * SQL that is true for a proof that has expired. A suspended proof has no last successful check, so its 60 days begin
 * with the first failed check.
 */
const TOO_OLD = `(checked_at <= ledger_now() - interval '60 days'
  OR checked_at IS NULL AND check_failed_at <= ledger_now() - interval '60 days')`;

/** Reserves for five minutes the proof whose check has been due the longest; null if none is due. */
export async function claimDueCheck(
  connection: Connection,
): Promise<{ id: string; accountId: string } | null> {
  // Raw SQL: SKIP LOCKED, so that concurrent processes reserve different proofs.
  const [claimed] = await connection.query<{ id: string; accountId: string }>(
    `UPDATE linked_account SET check_due_at = ledger_now() + interval '5 minutes' WHERE id = (
       SELECT id FROM linked_account WHERE check_due_at <= ledger_now() ORDER BY check_due_at LIMIT 1
       FOR UPDATE SKIP LOCKED) RETURNING id, account_id AS "accountId"`,
  );
  return claimed ?? null;
}

/** Returns an account with proofs that have expired but are not yet marked as lapsed; null if there is none. */
export async function findLapsedAccount({ models, transaction }: Connection): Promise<string | null> {
  const lapsed = await models.LinkedAccount.findOne<{ accountId: string }>({
    attributes: ['accountId'],
    where: { [ALL]: [{ provedAt: NOT_NULL, removedAt: null, lapsedAt: null }, sql(TOO_OLD)] },
    order: ['checkedAt'],
    raw: true,
    transaction,
  });
  return lapsed?.accountId ?? null;
}

/** Marks an account's expired proofs as lapsed, and returns them. */
export function saveLapse(connection: Connection, accountId: string): Promise<WithdrawnProof[]> {
  // Raw SQL: RETURNING supplies the changed proofs.
  return connection.query<WithdrawnProof>(
    `UPDATE linked_account SET lapsed_at = ledger_now() WHERE account_id = $1 AND proved_at IS NOT NULL
     AND removed_at IS NULL AND lapsed_at IS NULL AND ${TOO_OLD}
     RETURNING ${WITHDRAWN}`,
    [accountId],
  );
}

/**
 * Marks one proof as lapsed after a check, whatever its age; a later successful check restores it. Returns the proof,
 * or null if it was removed or checked again since it was read.
 */
export async function saveLapseOfProof(
  connection: Connection,
  { id, checkedAt }: LinkedAccount,
): Promise<WithdrawnProof | null> {
  // Raw SQL: one conditional write that returns what it changed.
  const [lapsed] = await connection.query<WithdrawnProof>(
    `UPDATE linked_account SET lapsed_at = ledger_now(), check_failed_at = ledger_now(), checked_at = NULL,
       check_due_at = ledger_now() + interval '6 hours'
     WHERE id = $1 AND removed_at IS NULL AND proved_at IS NOT NULL AND utc_text(checked_at) IS NOT DISTINCT FROM $2
     RETURNING ${WITHDRAWN}`,
    [id, checkedAt],
  );
  return lapsed ?? null;
}

const WITHDRAWN = 'kind, host, handle, host_account_id AS "hostAccountId", proved_by AS "provedBy"';
