import type { Connection } from '../../platform/database/connect.ts';
import { type ObservedFact, removeFacts, saveFacts } from '../facts/observed-facts.ts';
import { isAbout, isOwnNamespace } from './confirm-package.ts';
import { loadMadeListings, type MadeListing } from './official-maker.queries.ts';
import { entryUrl, REGISTRY_LICENSE, REGISTRY_SOURCE } from './registry-entry.ts';

/**
 * Decides again which listings are published in the MCP registry by the owners of their repositories: a current entry
 * names the repository, in the namespace that the registry gives only to its owner (`io.github.<owner>`). Writes only
 * changed facts. The caller has locked the subjects. Returns the listings that changed.
 */
export async function refreshOfficialMakers(
  connection: Connection,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const listings = await loadMadeListings(connection, ids, REGISTRY_SOURCE);
  const made = listings.map((listing) => ({ listing, fact: makerOf(listing) }));
  const changed = made.flatMap(({ listing, fact }) =>
    fact?.fact === 'official_maker' &&
    (fact.value.namespace !== listing.stored || fact.observedAt !== listing.storedAt)
      ? [fact]
      : [],
  );
  const ended = made.filter(({ listing, fact }) => fact === null && listing.stored !== null);
  await saveFacts(connection, changed);
  const endedIds = ended.map(({ listing }) => listing.id);
  const removed = await removeFacts(connection, endedIds, 'official_maker', REGISTRY_SOURCE);
  // A score depends on the time of the fact, too.
  return [...changed.map(({ subjectId }) => subjectId), ...removed];
}

function makerOf(listing: MadeListing): ObservedFact | null {
  const entry = listing.entries.find(
    (each) => isAbout(each, listing) && isOwnNamespace(each.serverName, listing),
  );
  if (entry === undefined) return null;
  return {
    subjectId: listing.id,
    fact: 'official_maker',
    value: { namespace: entry.serverName.split('/')[0]?.toLowerCase() ?? '' },
    source: REGISTRY_SOURCE,
    url: entryUrl(entry),
    license: REGISTRY_LICENSE,
    // A file of entries may be as old as the last change of the entry.
    observedAt: entry.updatedAt,
  };
}
