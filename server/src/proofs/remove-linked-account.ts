import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { endLinks } from './linked-account.repository.ts';
import { requireLink } from './read-links.ts';
import { withdrawProofs } from './withdraw-proofs.ts';

export interface Removal {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  /** Reads the caller's session again, for the length of the transaction; throws unauthorized and sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Takes back a link. Marks that rested on it fall at once, and listings that came with it return to what the registry last
 * had; what nobody but the account listed stays its own, unverified. Throws not_found,
 * and what lockRecentSignIn throws.
 */
export async function removeLinkedAccount(
  database: Database,
  { accountId, linkId, backend, lockRecentSignIn }: Removal,
): Promise<void> {
  const remove = async (connection: Connection) => {
    await lockRecentSignIn(connection);
    await lockLineage(connection);
    const link = await requireLink(connection, accountId, linkId);
    await endLinks(connection, { id: link.id });
    return link.provedAt === null ? [] : withdrawProofs(connection, accountId, [link]);
  };
  const due = await retryConflicts(() => inTransaction(database, remove));
  await scoreNow(database, backend, due);
}
