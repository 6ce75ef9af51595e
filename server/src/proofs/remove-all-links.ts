import type { Connection } from '../database/connect.ts';
import { endLinks } from './linked-account.repository.ts';
import { readLinks } from './read-links.ts';
import { withdrawProofs } from './withdraw-proofs.ts';

/**
 * Takes back all links of an account, as its owner could one by one. Answers what has to be scored again. The caller is
 * in a transaction and has called lockLineage.
 */
export async function removeAllLinks(connection: Connection, accountId: string): Promise<string[]> {
  const links = await readLinks(connection, accountId);
  await endLinks(connection, { accountId });
  const proved = links.filter(({ provedAt }) => provedAt !== null);
  return withdrawProofs(connection, accountId, proved);
}
