import { removeFacts } from '../../catalog/facts/observed-facts.ts';
import { applyDecisions } from '../../catalog/listing-changes/apply-rows.ts';
import { relateListings } from '../../catalog/listing-changes/relate-listings.ts';
import { judgeIdentity, loadIdentities } from '../../catalog/listings/judge-identity.ts';
import type { StoredListing } from '../../catalog/listings/listing-row.ts';
import { displaceListings, lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import { creatorKey, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { updateParents } from '../../catalog/relations/lineage-edges.ts';
import { isRepositoryName } from '../../catalog/repository-url.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { readsRepositories } from '../../hosts/lookup/host-repository.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import { beginFollowing, followOwner } from '../../ownership/handles/follow-host.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type Identity, identifyRepository } from './identify-repository.ts';
import type { ClaimedListing, RefreshOutcome } from './refresh.queries.ts';
import {
  findFigureTimes,
  findStoredCheck,
  loadOthers,
  loadStoredListing,
  type StoredCheck,
} from './refresh.queries.ts';
import { storeFacts, storeFork } from './store-facts.queries.ts';

/**
 * Result of the last check of a repository on its host. Before the first check: `waiting`, or `unreadable` if the
 * background job of this server does not read that host. After a check: `read`, `missing` if the host no longer has the
 * repository, or `failed` if the host could not be read.
 */
export type LastCheck =
  | { kind: 'unreadable' }
  | { kind: 'waiting' }
  | ({ kind: 'read' | 'missing' | 'failed' } & Pick<StoredCheck, 'wasRead' | 'nextCheckAt' | 'isDue'> & {
        checkedAt: string;
      });

interface LookParts {
  hosts: Hosts;
  /** Maximum number of requests that all processes together send per hour; 0 if the background job is off. */
  perHour: number;
}

const KINDS = { failed: 'failed', gone: 'missing' } as const;

/** Returns the last check of a listing's repository, for its owner. */
export async function findLastCheck(
  connection: Connection,
  { hosts, perHour }: LookParts,
  { listingId, host }: { listingId: string; host: string },
): Promise<LastCheck> {
  const look = await findStoredCheck(connection, listingId);
  if (look === null || look.checkedAt === null || look.outcome === null)
    return { kind: perHour > 0 && readsRepositories(hosts, host) ? 'waiting' : 'unreadable' };
  const { outcome, checkedAt, ...rest } = look;
  const kind = outcome === 'failed' || outcome === 'gone' ? KINDS[outcome] : 'read';
  return { kind, checkedAt, ...rest };
}

/**
 * Returns the earliest and the latest time at which figures of the best-known listings were read, to show how old facts
 * are. Returns an empty list if no figure has a time, and null if this server refreshes facts by itself.
 */
export async function findFactTimes(
  connection: Connection,
  { refreshPerHour }: { refreshPerHour: number },
): Promise<readonly string[] | null> {
  return refreshPerHour > 0 ? null : findFigureTimes(connection);
}

/**
 * Effects of a reading: `due` are subjects whose own facts changed, `dueByLineage` are listings whose parent changed.
 */
export interface StoredReading {
  outcome: RefreshOutcome;
  due: readonly string[];
  dueByLineage: readonly string[];
}

const NO_CHANGES = { due: [], dueByLineage: [] } as const;

/**
 * Stores a host's answer about a claimed listing's repository: its facts and id, and its new name if it was renamed.
 * If another repository has the listing's name, the listing gets a placeholder name and keeps its facts. The caller
 * has called lockRegistry or lockKeys.
 */
export async function storeReading(
  connection: Connection,
  claimed: ClaimedListing,
  reading: RepositoryReading,
): Promise<StoredReading> {
  const { row, stored } = await readLocked(
    connection,
    () => loadStoredListing(connection, claimed.id),
    (now) => [nameKey(now.stored.repository), creatorKey(now.stored.creatorId)],
  );
  const others = await loadOthers(connection, stored, reading);
  const identity = identifyRepository(stored, reading, others, isRepositoryName(reading.repository));
  if (identity.kind === 'replaced') {
    await loseName(connection, { row, stored });
    return { outcome: 'replaced', ...NO_CHANGES };
  }
  await lockSubjects(connection, [stored.id, ...others.map(({ id }) => id)]);
  const [known] = await loadIdentities(connection, [stored.id]);
  const doubt = known === undefined ? null : judgeIdentity(known, reading);
  const before = doubt === null ? await beginFollowing(connection, stored, reading) : null;
  const renamed = await rename(connection, { row, stored }, reading, identity);
  const isItsOwn = identity.kind === 'same' || identity.kind === 'renamed';
  await storeFacts(connection, stored.id, reading, { isItsOwn, doubt });
  // The age of the former owner's account says nothing about the new owner.
  if ((known?.hostOwnerId ?? null) !== reading.hostOwnerId)
    await removeFacts(connection, [stored.id], 'owner_account', stored.host);
  // The repository's id is now known, so that entries of the MCP registry about another repository of this name no
  // longer count.
  const packages = await refreshPackages(connection, [stored.id]);
  await packages.storeAliases();
  const creators = await followOwner(connection, stored, reading, before);
  await refreshSearch(connection, [stored.id]);
  const reparented = isItsOwn ? await relateFork(connection, stored, reading) : [];
  return {
    outcome: OUTCOMES[identity.kind],
    due: [stored.id, ...renamed.due, ...packages.due, ...creators],
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
  if (identity.kind !== 'renamed') return NO_CHANGES;
  const repositoryUrl = `https://${stored.host}/${repository}`;
  const changed = { ...row, repository, repositoryUrl, hostRepositoryId };
  const displaced = identity.displaced && (await loadStoredListing(connection, identity.displaced.id)).stored;
  const saved = await applyDecisions(connection, [{ step: 'update', row: changed, stored, displaced }]);
  return relateListings(connection, saved, new Map());
}

/**
 * Replaces the listing's name by a placeholder until a later check finds the listing's own repository by id. The lost
 * name becomes a former name.
 */
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
  await lockMoreKeys(connection, [nameKey(forkOf)]);
  const isNew = await storeFork(connection, { id: stored.id, host: stored.host, repository }, forkOf);
  if (!isNew) return [];
  return (await updateParents(connection, [stored.id])).changed;
}
