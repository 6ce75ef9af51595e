import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { countProofs, findLinks, findOneLink, type LinkRow } from './linked-account.repository.ts';
import type { LinkedAccount } from './linked-account.ts';

/** An account's links that were not removed, oldest first. */
export async function readLinks(connection: Connection, accountId: string): Promise<LinkedAccount[]> {
  return (await findLinks(connection, accountId)).map(linkOf);
}

/** One of an account's links, or null where it is another account's, was removed or never was. */
export async function findLink(
  connection: Connection,
  accountId: string,
  linkId: string,
): Promise<LinkedAccount | null> {
  const row = await findOneLink(connection, accountId, linkId);
  return row && linkOf(row);
}

/** One of the account's own links; throws not_found for any other, whether it exists or not. */
export async function requireLink(
  connection: Connection,
  accountId: string,
  linkId: string,
): Promise<LinkedAccount> {
  const link = await findLink(connection, accountId, linkId);
  if (!link) throw new DomainError('not_found', 'You have no linked account with this id.');
  return link;
}

/** Whether an account has a proof that counts. */
export async function hasProof(connection: Connection, accountId: string): Promise<boolean> {
  return (await countProofs(connection, accountId)) > 0;
}

function linkOf({ counts, ...row }: LinkRow): LinkedAccount {
  const proofState = counts ? 'proved' : 'lapsed';
  return { ...row, state: row.provedAt === null ? 'pending' : proofState };
}
