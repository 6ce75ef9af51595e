import type { Connection } from '../../platform/database/connect.ts';
import { type ObservedFact, removeFacts, saveFacts } from '../facts/observed-facts.ts';
import { isAbout, isOwnNamespace, type NamingEntry, type PackageRepository } from './confirm-package.ts';
import { IS_CURRENT, NAMES_REPOSITORY } from './decide-packages.queries.ts';
import { entryUrl, REGISTRY_LICENSE, REGISTRY_SOURCE } from './registry-entry.fragment.ts';

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
  // A score also depends on the time of the fact, so listings of which only this time changed are returned, too.
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
    // An imported entry may be as old as its last change, so it counts as observed at that time.
    observedAt: entry.updatedAt,
  };
}

/** A listing whose repository is or was named by entries of the MCP registry. */
interface MadeListing extends PackageRepository {
  id: string;
  /** Namespace stored as the fact `official_maker`; null if none is stored. */
  stored: string | null;
  /** Time of that fact; null if none is stored. */
  storedAt: string | null;
  /** Current entries that name the repository, those changed last first. */
  entries: (NamingEntry & { version: string; updatedAt: string })[];
}

// Raw SQL: joins entries and stored facts. Most listings have neither; index lookups exclude them.
const MADE = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
  o.value ->> 'namespace' AS stored, utc_text(o.observed_at) AS "storedAt",
  (SELECT coalesce(json_agg(json_build_object('serverName', e.server_name, 'version', e.version, 'updatedAt', utc_text(e.updated_at), 'host', e.host,
     'repository', e.repository, 'hostRepositoryId', e.host_repository_id, 'packages', e.packages)
     ORDER BY e.updated_at DESC, e.server_name), '[]') FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY} AND ${IS_CURRENT}) AS entries
FROM listing l LEFT JOIN observed_fact o
  ON o.subject_id = l.subject_id AND o.fact = 'official_maker' AND o.source = $2
WHERE l.subject_id = ANY ($1::uuid[]) AND (o.subject_id IS NOT NULL
  OR EXISTS (SELECT FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY}))
ORDER BY l.subject_id`;

/** Loads the given listings that have an official maker, or whose repository an entry of the MCP registry names. */
function loadMadeListings(
  connection: Connection,
  ids: readonly string[],
  source: string,
): Promise<MadeListing[]> {
  return connection.query<MadeListing>(MADE, [ids, source]);
}
