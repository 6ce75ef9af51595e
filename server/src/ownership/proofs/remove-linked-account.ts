import { accountKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { scoreInline } from '../../scoring/batches/score-inline.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { withdrawProofs } from './lapse-proofs.ts';
import { readLinks, requireLink } from './link-account.ts';
import { endLinks } from './linked-account.queries.ts';

export interface Removal {
  accountId: string;
  linkId: string;
  backend: ScoringBackend;
  /** Rechecks the caller's session and locks it for the transaction; throws unauthorized and sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Removes a link. Verified flags based on it are cleared at once, and listings that came with it get back the
 * registry's last texts. Listings that only this account listed stay its own, unverified. Throws not_found, and
 * whatever lockRecentSignIn throws.
 */
export async function removeLinkedAccount(
  database: Database,
  { accountId, linkId, backend, lockRecentSignIn }: Removal,
): Promise<void> {
  const remove = async (connection: Connection) => {
    await lockRecentSignIn(connection);
    await lockKeys(connection, [accountKey(accountId)]);
    const link = await requireLink(connection, accountId, linkId);
    await endLinks(connection, { id: link.id });
    return link.provedAt === null ? [] : withdrawProofs(connection, accountId, [link]);
  };
  const due = await inRegistryTransaction(database, remove);
  await scoreInline(database, backend, due);
}

/**
 * Removes all links of an account, as its owner could one by one. Returns the subjects to score. The caller is in a
 * transaction and has called lockRegistry or lockKeys.
 */
export async function removeAllLinks(connection: Connection, accountId: string): Promise<string[]> {
  const links = await readLinks(connection, accountId);
  await endLinks(connection, { accountId });
  const proved = links.filter(({ provedAt }) => provedAt !== null);
  return withdrawProofs(connection, accountId, proved);
}
