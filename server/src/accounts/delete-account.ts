import { endCredentials } from '../callers/session.ts';
import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { releaseCreators } from '../handles/release-creators.ts';
import { lockPlan } from '../plans/lock-plan.ts';
import { removeAllLinks } from '../proofs/remove-all-links.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { saveDeletion } from './account.repository.ts';

/**
 * Deletes an account for good: its keys are revoked, its sessions ended, its proofs removed, its handle free again where
 * no creator has it. Its row stays under the handle `deleted-<id>`, and its receipts, ledger and listings stay; what
 * came with a proof returns to what the registry last had, and the creator of the rest is nobody's. No request of it that is received after this returns is taken.
 * Throws not_found, and invalid_request where it was deleted before.
 */
export async function deleteAccount(
  database: Database,
  backend: ScoringBackend,
  accountId: string,
): Promise<void> {
  const due = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lockPlan(connection, accountId);
      const owed = await removeProofs(connection, accountId);
      await saveDeletion(connection, accountId);
      // Sign-in links need no end: redeeming one asks whether the account lives.
      await endCredentials(connection, accountId);
      return owed;
    }),
  );
  await scoreNow(database, backend, due);
}

/** Marks that rested on the account's proofs fall; answers what has to be scored again. */
async function removeProofs(connection: Connection, accountId: string): Promise<string[]> {
  await lockLineage(connection);
  const due = await removeAllLinks(connection, accountId);
  await releaseCreators(connection, accountId);
  return due;
}
