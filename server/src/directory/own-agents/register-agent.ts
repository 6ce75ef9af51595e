import { ensureAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshVerifiedListings } from '../../catalog/creators/verified.ts';
import { insertListing } from '../../catalog/listing-changes/save-listings.ts';
import type { Category, ListedType } from '../../catalog/listings/listing-row.ts';
import { accountKey, hostAccountKeys, listingKey, nameKey } from '../../catalog/registry-keys.ts';
import {
  inRegistryTransaction,
  lockKeys,
  type RegistryKey,
  readLocked,
} from '../../catalog/registry-locks.ts';
import { setParent } from '../../catalog/relations/lineage-edges.ts';
import { type RepositoryUrl, readRepositoryUrl } from '../../catalog/repository-url.ts';
import { loadPublicPaths } from '../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { listingUrl } from '../../catalog/subjects/public-path.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { requireChosenHandle } from '../../ownership/handles/choose-handle.ts';
import { claimListing } from '../../ownership/handles/claim-listing.ts';
import { storeIdentity } from '../../ownership/handles/determine-ownership.ts';
import type { RepositoryOutcome } from '../../ownership/handles/read-owned-repositories.ts';
import { readOwnRepository } from '../../ownership/handles/read-owned-repositories.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInTransaction } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import {
  findParent,
  lockRegistrationKey,
  type StoredRegistration,
  storeRegistration,
} from './registration-keys.queries.ts';
import {
  createAccountQueue,
  findEarlierRegistration,
  registrationFingerprint,
  requireNoSecret,
} from './registration-keys.ts';

/** A registration that the contract has validated. */
export interface Registration {
  repoHostUrl: string;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  /** Requested type. Null means the type of the existing listing or, without one, an agent. */
  type: ListedType | null;
  /** `AGT-` id of the claimed parent. */
  parentId: string | null;
  accountId: string;
  /** Idempotency key, unique per account; null if none is given. */
  idempotencyKey?: string | null;
  /** Repository hosts that registration accepts. */
  allowedHosts: readonly string[];
  backend: ScoringBackend;
  publicUrls: PublicUrls;
  /**
   * Clients of the repository hosts, to read the repository of a proved owner. Without them, a new listing is not
   * verified before its first refresh.
   */
  hosts?: Hosts | undefined;
  /** Locks and checks the caller's credential for this transaction. Throws 401 if it has ended. */
  lockCredential(connection: Connection): Promise<void>;
}

/** Maximum wait for earlier registrations of the account. */
const MAX_WAIT_MS = 20_000;
const accountQueue = createAccountQueue(MAX_WAIT_MS);

export interface RegisteredAgent {
  id: string;
  listingUrl: string;
  /** False if the repository was already listed and the listing has passed to the repository's proved owner. */
  isNew: boolean;
}

/**
 * Registers a repository for the caller, in one transaction. The listing is verified only if the caller has proved to
 * own the repository. The embedded backend scores it at once. An existing listing passes to the repository's proved
 * owner. A repeated idempotency key returns the first result. Throws invalid_request, already_registered, gone if the
 * operator delisted the repository, unauthorized, forbidden if the account has no handle yet, idempotency_key_reused,
 * and unavailable if earlier registrations of the account take too long.
 */
export async function registerAgent(
  database: Database,
  registration: Registration,
): Promise<RegisteredAgent> {
  const { publicUrls } = registration;
  requireWellFormed([registration.name, registration.description, ...registration.tags]);
  const keyed = withKeyOf(registration);
  // Avoids reading the repository for a repeated request. The same check is done again under the lock.
  const earlier = keyed && (await findEarlierRegistration(database, keyed));
  if (earlier) return repeatResult(database, earlier, publicUrls);
  const address = readRepositoryUrl(registration.repoHostUrl, registration.allowedHosts);
  const outcome = await readOwnRepository(database, registration, address);
  const register = () =>
    inRegistryTransaction(database, async (connection) => {
      if (keyed) await lockRegistrationKey(connection, keyed);
      await registration.lockCredential(connection);
      const before = keyed && (await findEarlierRegistration(connection, keyed));
      if (before) return repeatResult(connection, before, publicUrls);
      await requireChosenHandle(connection, registration.accountId);
      // Locks these keys before any listing row. All transactions lock in this order; otherwise two could deadlock.
      await lockKeys(connection, keysOf(registration, address, outcome));
      const parentId =
        registration.parentId === null ? null : await requireParent(connection, registration.parentId);
      const { subjectId, agentId, type, isNew, dueByLineage } = await list(
        connection,
        registration,
        address,
        outcome,
      );
      const reparented =
        parentId === null || parentId === subjectId ? [] : await claimParent(connection, subjectId, parentId);
      const due = [subjectId, ...dueByLineage, ...reparented];
      await scoreInTransaction(connection, registration.backend, due, { withCreators: true });
      const publicPath = await pathOf(connection, subjectId, type, publicUrls);
      if (publicPath === null) throw new Error('a listing that was just stored is not found by its id');
      if (keyed) {
        const fingerprint = registrationFingerprint(keyed);
        const kept = { fingerprint, listingId: subjectId, listingType: type, agentId, publicPath, isNew };
        await storeRegistration(connection, keyed, kept);
      }
      return { id: agentId, listingUrl: listingUrl(publicPath, publicUrls), isNew };
    });
  // Runs an account's registrations one at a time. Each changes the score of the account's creator, so concurrent
  // ones would only wait for each other, and each would occupy a connection of the pool.
  return accountQueue(registration.accountId, register);
}

function keysOf(
  { accountId }: Registration,
  { host, repository }: RepositoryUrl,
  outcome: RepositoryOutcome | null,
): RegistryKey[] {
  const ownerId = outcome?.kind === 'read' ? outcome.reading.hostOwnerId : null;
  return [accountKey(accountId), nameKey(repository), ...hostAccountKeys(host, ownerId)];
}

interface Listed {
  subjectId: string;
  agentId: string;
  type: ListedType;
  isNew: boolean;
  dueByLineage: string[];
}

async function list(
  connection: Connection,
  { accountId, type, name, description, category, tags }: Registration,
  { host, repository, url }: RepositoryUrl,
  outcome: RepositoryOutcome | null,
): Promise<Listed> {
  const texts = { name, description, category, tags };
  const taken = await claimListing(connection, { accountId, host, repository, type, ...texts }, outcome);
  if (taken !== null) {
    return {
      subjectId: taken.id,
      agentId: taken.agentId,
      type: taken.type,
      isNew: false,
      dueByLineage: [],
    };
  }
  const creatorId = await ensureAccountCreator(connection, accountId);
  const place = { host, repository, repositoryUrl: url };
  const own = { type: type ?? 'agent', creatorId, registeredBy: accountId };
  const inserted = await insertListing(connection, { ...texts, ...place, ...own });
  if (outcome?.kind === 'read') {
    await storeIdentity(connection, inserted.subjectId, outcome.reading);
    await refreshVerifiedListings(connection, [inserted.subjectId]);
  }
  return { ...inserted, type: own.type, isNew: true };
}

/** Rejects lone surrogates, which the contract's patterns accept but PostgreSQL cannot store. */
function requireWellFormed(texts: readonly string[]): void {
  if (texts.every((text) => text.isWellFormed())) return;
  throw new DomainError('invalid_request', 'name, description and tags must be well-formed Unicode.');
}

async function requireParent(connection: Connection, agentId: string): Promise<string> {
  const parentId = await readLocked(
    connection,
    () => findParent(connection, agentId),
    (id) => (id === null ? [] : [listingKey(id)]),
  );
  if (parentId !== null) return parentId;
  throw new DomainError('invalid_request', 'parentId must be the id of a listed agent or skill.');
}

async function claimParent(connection: Connection, childId: string, parentId: string): Promise<string[]> {
  const { changed } = await setParent(connection, { childId, parentId, relation: 'based_on', stated: false });
  return changed;
}

/** Returns the registration with its key; null if it has none. */
function withKeyOf(registration: Registration): (Registration & { idempotencyKey: string }) | null {
  const { idempotencyKey = null } = registration;
  if (idempotencyKey === null) return null;
  requireNoSecret(idempotencyKey);
  return { ...registration, idempotencyKey };
}

/**
 * Returns the result of the earlier registration with the current path of the listing's page, or the former path if the
 * repository is no longer listed.
 */
async function repeatResult(
  connection: Connection,
  { listingId, listingType, agentId, publicPath, isNew }: StoredRegistration,
  publicUrls: PublicUrls,
): Promise<RegisteredAgent> {
  const path = (await pathOf(connection, listingId, listingType, publicUrls)) ?? publicPath;
  return { id: agentId, listingUrl: listingUrl(path, publicUrls), isNew };
}

async function pathOf(
  connection: Connection,
  id: string,
  type: ListedType,
  publicUrls: PublicUrls,
): Promise<string | null> {
  return (await loadPublicPaths(connection, [{ id, type }], publicUrls)).get(id) ?? null;
}
