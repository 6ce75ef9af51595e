import type { Connection } from '../database/connect.ts';
import { ALL, PRESENT, sql } from '../database/models/expressions.ts';
import type { LinkedAccount } from './linked-account.ts';
import type { WithdrawnProof } from './withdraw-proofs.ts';

const TOO_OLD = "checked_at <= ledger_now() - interval '60 days'";

/** The proof that has waited longest for its check, ours for five minutes; null where none is due. */
export async function claimDueCheck(
  connection: Connection,
): Promise<{ id: string; accountId: string } | null> {
  // SQL: SKIP LOCKED, so that of several processes each takes another one.
  const [claimed] = await connection.query<{ id: string; accountId: string }>(
    `UPDATE linked_account SET check_due_at = ledger_now() + interval '5 minutes' WHERE id = (
       SELECT id FROM linked_account WHERE check_due_at <= ledger_now() ORDER BY check_due_at LIMIT 1
       FOR UPDATE SKIP LOCKED) RETURNING id, account_id AS "accountId"`,
  );
  return claimed ?? null;
}

/** An account with proofs that have come to count no more since anybody looked; null where there is none. */
export async function findLapsedAccount({ models, transaction }: Connection): Promise<string | null> {
  const lapsed = await models.LinkedAccount.findOne<{ accountId: string }>({
    attributes: ['accountId'],
    where: { [ALL]: [{ provedAt: PRESENT, removedAt: null, lapsedAt: null }, sql(TOO_OLD)] },
    order: ['checkedAt'],
    raw: true,
    transaction,
  });
  return lapsed?.accountId ?? null;
}

/** Notes that an account's proofs have lapsed, and answers them. */
export function saveLapse(connection: Connection, accountId: string): Promise<WithdrawnProof[]> {
  // SQL: RETURNING tells which ones they are.
  return connection.query<WithdrawnProof>(
    `UPDATE linked_account SET lapsed_at = ledger_now() WHERE account_id = $1 AND proved_at IS NOT NULL
     AND removed_at IS NULL AND lapsed_at IS NULL AND ${TOO_OLD}
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
  // SQL: one guarded write that tells what it changed.
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
