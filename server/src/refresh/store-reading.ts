import type { Connection } from '../database/connect.ts';
import { beginFollowing, followOwner } from '../handles/follow-owner.ts';
import type { RepositoryReading } from '../hosts/repository-reading.ts';
import { applyDecisions } from '../registry/listings/apply-rows.ts';
import { judgeIdentity } from '../registry/listings/judge-identity.ts';
import type { StoredListing } from '../registry/listings/match-listings.ts';
import { relateListings } from '../registry/listings/relate-listings.ts';
import { loadIdentities } from '../registry/listings/stored-identity.ts';
import { displaceListings, lockSubjects, refreshSearch } from '../registry/listings/write-listings.ts';
import { updateParents } from '../registry/relations/lineage-edges.ts';
import { isRepositoryName } from '../registry/repository-name.ts';
import { type Identity, identifyRepository } from './identify-repository.ts';
import type { ClaimedListing, RefreshOutcome } from './refresh.repository.ts';
import { storeFacts, storeFork } from './store-facts.repository.ts';
import { loadOthers, loadStoredListing } from './stored-listing.repository.ts';

/** What storing a reading changed: subjects whose own facts are others now, and listings with another parent. */
export interface StoredReading {
  outcome: RefreshOutcome;
  due: readonly string[];
  dueByLineage: readonly string[];
}

const NOTHING = { due: [], dueByLineage: [] } as const;

/**
 * Stores what a host said of a claimed listing's repository: facts, its id, and its name where it was renamed. Where
 * another repository has the listing's name, the listing loses the name and keeps its facts. The caller has called
 * lockLineage.
 */
export async function storeReading(
  connection: Connection,
  claimed: ClaimedListing,
  reading: RepositoryReading,
): Promise<StoredReading> {
  const { row, stored } = await loadStoredListing(connection, claimed.id);
  const others = await loadOthers(connection, stored, reading);
  const identity = identifyRepository(stored, reading, others, isRepositoryName(reading.repository));
  if (identity.kind === 'replaced') {
    await loseName(connection, { row, stored });
    return { outcome: 'replaced', ...NOTHING };
  }
  await lockSubjects(connection, [stored.id, ...others.map(({ id }) => id)]);
  const [known] = await loadIdentities(connection, [stored.id]);
  const doubt = known === undefined ? null : judgeIdentity(known, reading);
  const before = doubt === null ? await beginFollowing(connection, stored, reading) : null;
  const renamed = await rename(connection, { row, stored }, reading, identity);
  const isItsOwn = identity.kind === 'same' || identity.kind === 'renamed';
  await storeFacts(connection, stored.id, reading, { isItsOwn, doubt });
  const creators = await followOwner(connection, stored, reading, before);
  await refreshSearch(connection, [stored.id]);
  const reparented = isItsOwn ? await relateFork(connection, stored, reading) : [];
  return {
    outcome: OUTCOMES[identity.kind],
    due: [stored.id, ...renamed.due, ...creators],
    dueByLineage: [...renamed.dueByLineage, ...reparented],
  };
}

const OUTCOMES = { same: 'read', renamed: 'renamed', duplicate: 'duplicate', nameless: 'read' } as const;

type Loaded = Awaited<ReturnType<typeof loadStoredListing>>;

async function rename(
  connection: Connection,
  { row, stored }: Loaded,
  { repository, hostRepositoryId }: RepositoryReading,
  identity: Identity,
) {
  if (identity.kind !== 'renamed') return NOTHING;
  const repositoryUrl = `https://${stored.host}/${repository}`;
  const changed = { ...row, repository, repositoryUrl, hostRepositoryId };
  const displaced = identity.displaced && (await loadStoredListing(connection, identity.displaced.id)).stored;
  const saved = await applyDecisions(connection, [{ step: 'update', row: changed, stored, displaced }]);
  return relateListings(connection, saved, new Map());
}

/** The listing is called by its former name and id until its own repository is found again by that id. */
async function loseName(connection: Connection, { row, stored }: Loaded): Promise<void> {
  await lockSubjects(connection, [stored.id]);
  await displaceListings(connection, [stored.id]);
  const now = (await loadStoredListing(connection, stored.id)).row;
  const former = { ...now, formerRepositories: [row.repository] };
  await relateListings(
    connection,
    [{ id: stored.id, row: former, before: stored, displaced: null }],
    new Map(),
  );
}

async function relateFork(
  connection: Connection,
  stored: StoredListing,
  { repository, forkOf }: RepositoryReading,
): Promise<string[]> {
  if (forkOf === null || !isRepositoryName(forkOf)) return [];
  const isNew = await storeFork(connection, { id: stored.id, host: stored.host, repository }, forkOf);
  if (!isNew) return [];
  return (await updateParents(connection, [stored.id])).changed;
}
