import type { Connection } from '../database/connect.ts';
import { readsRepositories } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { findLook, type RepositoryLook } from './refresh.repository.ts';

/**
 * How a repository was last looked at on its host: `unreadable` where this server looks at none there by itself, `waiting`
 * before the first time, `missing` where the host shows none of this name, `failed` where it could not be asked.
 */
export type LastLook =
  | { kind: 'unreadable' }
  | { kind: 'waiting' }
  | ({ kind: 'read' | 'missing' | 'failed' } & Pick<RepositoryLook, 'wasRead' | 'nextCheckAt' | 'isDue'> & {
        checkedAt: string;
      });

interface LookParts {
  hosts: Hosts;
  /** Listings that this server reads an hour; 0 for none. */
  perHour: number;
}

const KINDS = { failed: 'failed', gone: 'missing' } as const;

/** What is known of a listing's repository from its host, for its owner. */
export async function lastLook(
  connection: Connection,
  { hosts, perHour }: LookParts,
  { listingId, host }: { listingId: string; host: string },
): Promise<LastLook> {
  const look = await findLook(connection, listingId);
  if (look === null || look.checkedAt === null || look.outcome === null)
    return { kind: perHour > 0 && readsRepositories(hosts, host) ? 'waiting' : 'unreadable' };
  const { outcome, checkedAt, ...rest } = look;
  const kind = outcome === 'failed' || outcome === 'gone' ? KINDS[outcome] : 'read';
  return { kind, checkedAt, ...rest };
}
