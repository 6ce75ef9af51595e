import { mergeSameRepository } from '../../catalog/listing-changes/save-renames.ts';
import { judgeIdentity, loadIdentities } from '../../catalog/listings/judge-identity.ts';
import { inRegistryTransaction, lockRegistry } from '../../catalog/registry-locks.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import type { NamedListing } from './identify-repository.ts';
import { loadOthers, requestFullReading } from './refresh.queries.ts';

/**
 * Merges a listing with another listing of the same repository, as the host has just answered. The one with the
 * repository's current name stays, and is read again at once; the ids and names of the other one then lead to it.
 * Merges only listings that contradict the host's answer in nothing. Returns true if they were merged.
 */
export function mergeDuplicate(
  database: Database,
  listing: NamedListing & { host: string },
  reading: RepositoryReading,
): Promise<boolean> {
  return inRegistryTransaction(database, async (connection) => {
    await lockRegistry(connection);
    const same = [];
    for (const each of [listing, ...(await loadOthers(connection, listing, reading))])
      if (await isSameRepository(connection, each.id, reading)) same.push(each);
    const [one, other] = same;
    if (one === undefined || other === undefined || same.length > 2) return false;
    const isCurrent = ({ repository }: NamedListing) =>
      repository.toLowerCase() === reading.repository.toLowerCase();
    const [kept, former] = isCurrent(other) || !isCurrent(one) ? [other, one] : [one, other];
    const merged = await mergeSameRepository(connection, former.id, kept.id);
    if (merged === null) return false;
    await requestFullReading(connection, kept.id);
    await enqueueScoring(connection, merged.due, merged.dueByLineage);
    return true;
  });
}

/** Returns true if a listing has the host's id of the repository, or no id and no fact that contradicts the answer. */
async function isSameRepository(
  connection: Connection,
  id: string,
  reading: RepositoryReading,
): Promise<boolean> {
  const [stored] = await loadIdentities(connection, [id]);
  if (stored === undefined) return false;
  if (stored.hostRepositoryId !== null) return stored.hostRepositoryId === reading.hostRepositoryId;
  return judgeIdentity(stored, reading) === null;
}
