import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockLineage } from '../directory/lineage-edges.ts';
import { lockSubjects } from '../directory/save-listings-write.ts';
import { subjectsConcerned } from '../identity/take-over.repository.ts';
import { creatorsOfAccounts } from '../identity/verified.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { endLink } from './linked-account.repository.ts';
import { refreshMarks } from './prove-account.ts';
import { requireLink } from './verify-linked-account.ts';

export interface Removal {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  /** Reads the caller's session again, for the length of the transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
}

/**
 * Takes back a link. Marks that rested on it fall at once; listings that came with it stay with their creator, unverified,
 * until somebody proves the account. Throws not_found.
 */
export async function removeLinkedAccount(
  database: Database,
  { accountId, linkId, backend, lockCredential }: Removal,
): Promise<void> {
  const due = await inTransaction(database, async (connection) => {
    await lockCredential(connection);
    await lockLineage(connection);
    const link = await requireLink(connection, accountId, linkId);
    await endLink(connection, link.id);
    if (link.provedAt === null) return [];
    return refreshAccountMarks(connection, accountId);
  });
  await scoreNow(database, backend, due);
}

/**
 * Makes the marks of an account's creator and listings right after its proofs changed, and notes what has to be scored
 * again. Answers that. The caller is in a transaction and has called lockLineage.
 */
export async function refreshAccountMarks(connection: Connection, accountId: string): Promise<string[]> {
  const creators = await creatorsOfAccounts(connection, [accountId]);
  await lockSubjects(connection, await subjectsConcerned(connection, creators));
  return refreshMarks(connection, creators);
}
