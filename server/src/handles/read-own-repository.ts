import type { Connection } from '../database/connect.ts';
import { readsRepositories } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { type RepositoryOutcome, readRepository } from './read-owned-repositories.ts';
import { findClaimable } from './take-over-listing.repository.ts';

/**
 * Reads a repository that an account registers, where the account may have proved its owner; null where it has not, and where
 * the host cannot be read. Call it outside of any transaction.
 */
export async function readOwnRepository(
  connection: Connection,
  { accountId, hosts }: { accountId: string; hosts?: Hosts | undefined },
  { host, repository }: { host: string; repository: string },
): Promise<RepositoryOutcome | null> {
  if (hosts === undefined || !readsRepositories(hosts, host)) return null;
  const claimable = await findClaimable(connection, { accountId, host, repository });
  return claimable === null ? null : readRepository(hosts, { ...claimable, host, repository });
}
