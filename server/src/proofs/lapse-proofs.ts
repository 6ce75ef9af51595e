import type { Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { findLapsedAccount, saveLapse } from './recheck-linked-accounts.repository.ts';
import { withdrawProofs } from './withdraw-proofs.ts';

/** How many accounts one round deals with at most. */
const ACCOUNTS_A_ROUND = 100;

/**
 * Takes the marks from creators and listings whose last proof is older than 60 days, has listings return to what the
 * registry last had, and answers how many accounts were concerned. Any process may do it at any time; a proof that is checked meanwhile keeps its marks.
 */
export async function lapseProofs(database: Database, backend: ScoringBackend): Promise<number> {
  for (let lapsed = 0; lapsed < ACCOUNTS_A_ROUND; lapsed += 1) {
    const accountId = await findLapsedAccount(database);
    if (accountId === null) return lapsed;
    const due = await retryConflicts(() =>
      inTransaction(database, async (connection) => {
        await lockLineage(connection);
        return withdrawProofs(connection, accountId, await saveLapse(connection, accountId));
      }),
    );
    await scoreNow(database, backend, due);
  }
  return ACCOUNTS_A_ROUND;
}
