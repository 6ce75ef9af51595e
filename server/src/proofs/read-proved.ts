import type { AccountKind } from '../config/account-kinds.ts';
import type { Connection } from '../database/connect.ts';
import {
  NOTHING_READ,
  type RepositoryOutcomes,
  readOwnedRepositories,
} from '../handles/read-owned-repositories.ts';
import type { Hosts } from '../hosts/hosts.ts';

/**
 * Reads the listed repositories of an account that is about to be proved, under the handle that it was linked by and the one
 * that it has now. Call it outside of any transaction.
 */
export function readProved(
  connection: Connection,
  hosts: Hosts,
  { kind, host, handle }: { kind: AccountKind; host: string; handle: string },
  found: { handle: string; hostAccountId: string | null },
): Promise<RepositoryOutcomes> {
  if (kind !== 'repo_host') return Promise.resolve(NOTHING_READ);
  const handles = [...new Set([handle, found.handle])];
  return readOwnedRepositories(connection, hosts, { host, handles, hostAccountId: found.hostAccountId });
}
