import type { Connection } from '../database/connect.ts';
import { findLinkedAccount } from './linked-account.repository.ts';
import type { LinkedAccount } from './linked-account.ts';
import type { WithdrawnProof } from './withdraw-proofs.ts';

/** The proof that has waited longest for its check, ours for five minutes; null where none is due. */
export async function claimDueCheck(connection: Connection): Promise<LinkedAccount | null> {
  const [claimed] = await connection.query<{ id: string; accountId: string }>(
    `UPDATE linked_account SET check_due_at = ledger_now() + interval '5 minutes' WHERE id = (
       SELECT id FROM linked_account WHERE check_due_at <= ledger_now() ORDER BY check_due_at LIMIT 1
       FOR UPDATE SKIP LOCKED) RETURNING id, account_id AS "accountId"`,
  );
  return claimed ? findLinkedAccount(connection, claimed.accountId, claimed.id) : null;
}

/** An account with proofs that have come to count no more since anybody looked; null where there is none. */
export async function findLapsedAccount(connection: Connection): Promise<string | null> {
  const [lapsed] = await connection.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM linked_account WHERE proved_at IS NOT NULL AND removed_at IS NULL
     AND lapsed_at IS NULL AND checked_at <= ledger_now() - interval '60 days' ORDER BY checked_at LIMIT 1`,
  );
  return lapsed?.accountId ?? null;
}

/** Notes that an account's proofs have lapsed, and answers them. */
export function saveLapse(connection: Connection, accountId: string): Promise<WithdrawnProof[]> {
  return connection.query<WithdrawnProof>(
    `UPDATE linked_account SET lapsed_at = ledger_now() WHERE account_id = $1 AND proved_at IS NOT NULL
     AND removed_at IS NULL AND lapsed_at IS NULL AND checked_at <= ledger_now() - interval '60 days'
     RETURNING ${WITHDRAWN}`,
    [accountId],
  );
}

/**
 * Has one proof lapse at a failed check, whatever its age; a later good check revives it. Answers it, or null where it
 * was removed, or checked again, since it was read.
 */
export async function saveLapseOf(
  connection: Connection,
  { id, checkedAt }: LinkedAccount,
): Promise<WithdrawnProof | null> {
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
