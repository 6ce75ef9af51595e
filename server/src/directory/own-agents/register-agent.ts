import type { Connection, Database } from '../../database/connect.ts';
import { retryConflicts } from '../../database/retry-conflicts.ts';
import { DomainError } from '../../domain-error.ts';
import { requireChosenHandle } from '../../handles/chosen-handle.ts';
import { readOwnRepository } from '../../handles/read-own-repository.ts';
import type { RepositoryOutcome } from '../../handles/read-owned-repositories.ts';
import { settleIdentity } from '../../handles/settle-ownership.ts';
import { takeOverListing } from '../../handles/take-over-listing.ts';
import type { Hosts } from '../../hosts/hosts.ts';
import { ensureAccountCreator } from '../../registry/creators/account-creator.ts';
import { refreshVerifiedListings } from '../../registry/creators/verified.ts';
import type { Category, ListedType } from '../../registry/listings/listing-row.ts';
import { insertListing } from '../../registry/listings/save-listings.ts';
import { inSharedLineage, lockLineage, setParent } from '../../registry/relations/lineage-edges.ts';
import { type RepositoryUrl, readRepositoryUrl } from '../../registry/repository-url.ts';
import { scoreInTransaction } from '../../scoring/score-in-transaction.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import { listingUrl } from '../../subjects/public-path.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { findParent } from './register-agent.repository.ts';
import {
  type KeptRegistration,
  keepRegistration,
  lockRegistrationKey,
} from './registration-keys.repository.ts';
import { findEarlierRegistration, registrationFingerprint, requireNoSecret } from './registration-keys.ts';

/** A registration whose shape the contract has checked. */
export interface Registration {
  repoHostUrl: string;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  /** Null where the caller does not say: an agent, or what it is listed as already. */
  type: ListedType | null;
  /** `AGT-` id of what it is based on: a claim. */
  parentId: string | null;
  accountId: string;
  /** Names the registration within the account, so that it can be sent again; null where the caller gives none. */
  idempotencyKey?: string | null;
  /** Repository hosts that registration takes. */
  allowedHosts: readonly string[];
  backend: ScoringBackend;
  naming: Naming;
  /** Reads the repository of a proved owner; without it none is verified before its first refresh. */
  hosts?: Hosts | undefined;
  /** Reads the caller's credential again, for the length of the transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
}

/** Longest time that a registration waits for earlier ones of its account. */
const LONGEST_WAIT_MS = 20_000;
const oneAtATime = createKeyedMutex(LONGEST_WAIT_MS);

export interface RegisteredAgent {
  id: string;
  listingUrl: string;
  /** False where it was listed before, and its proved owner has taken it over. */
  isNew: boolean;
}

/**
 * Lists a repository under the caller's own identity, verified only where the caller has proved its owner, and scores it
 * at once where the embedded backend scores. A listed one passes to its proved owner. All of it or nothing is stored.
 * Sent again under its idempotency key, a registration that has worked answers as it did. Throws invalid_request,
 * already_registered, gone where the operator delisted it, unauthorized, forbidden where the account has no handle yet, and
 * idempotency_key_reused.
 */
export async function registerAgent(
  database: Database,
  registration: Registration,
): Promise<RegisteredAgent> {
  const { naming } = registration;
  requireWellFormed([registration.name, registration.description, ...registration.tags]);
  const keyed = keyedOf(registration);
  // Looked up once more under the lock: here it spares a repeat the reading of the repository.
  const earlier = keyed && (await findEarlierRegistration(database, keyed));
  if (earlier) return answerAgain(database, earlier, naming);
  const address = readRepositoryUrl(registration.repoHostUrl, registration.allowedHosts);
  const outcome = await readOwnRepository(database, registration, address);
  const register = () =>
    inSharedLineage(database, async (connection, lock) => {
      if (keyed) await lockRegistrationKey(connection, keyed);
      await registration.lockCredential(connection);
      const before = keyed && (await findEarlierRegistration(connection, keyed));
      if (before) return answerAgain(connection, before, naming);
      await requireChosenHandle(connection, registration.accountId);
      // First of all locks on the registry, as everywhere: two registrations could otherwise wait for each other.
      await (registration.parentId === null ? lock : lockLineage)(connection);
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
      const publicPath = await pathOf(connection, subjectId, type, naming);
      if (publicPath === null) throw new Error('a listing that was just stored is not found by its id');
      if (keyed) {
        const fingerprint = registrationFingerprint(keyed);
        const kept = { fingerprint, listingId: subjectId, listingType: type, agentId, publicPath, isNew };
        await keepRegistration(connection, keyed, kept);
      }
      return { id: agentId, listingUrl: listingUrl(publicPath, naming), isNew };
    });
  // All of one account's change its creator's score: they would only wait for each other, each with a session of the pool.
  return oneAtATime(registration.accountId, () => retryConflicts(register));
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
  const taken = await takeOverListing(connection, { accountId, host, repository, type, ...texts }, outcome);
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
    await settleIdentity(connection, inserted.subjectId, outcome.reading);
    await refreshVerifiedListings(connection, [inserted.subjectId]);
  }
  return { ...inserted, type: own.type, isNew: true };
}

/** Half of a character can't be stored, and the contract's patterns let it pass. */
function requireWellFormed(texts: readonly string[]): void {
  if (texts.every((text) => text.isWellFormed())) return;
  throw new DomainError('invalid_request', 'name, description and tags must be well-formed Unicode.');
}

async function requireParent(connection: Connection, agentId: string): Promise<string> {
  const parentId = await findParent(connection, agentId);
  if (parentId !== null) return parentId;
  throw new DomainError('invalid_request', 'parentId must be the id of a listed agent or skill.');
}

async function claimParent(connection: Connection, childId: string, parentId: string): Promise<string[]> {
  const { changed } = await setParent(connection, { childId, parentId, relation: 'based_on', stated: false });
  return changed;
}

/** A registration with its key; null where it has none. */
function keyedOf(registration: Registration): (Registration & { idempotencyKey: string }) | null {
  const { idempotencyKey = null } = registration;
  if (idempotencyKey === null) return null;
  requireNoSecret(idempotencyKey);
  return { ...registration, idempotencyKey };
}

/** The answer that a registration had, with where its page is now, or was where it is no longer listed. */
async function answerAgain(
  connection: Connection,
  { listingId, listingType, agentId, publicPath, isNew }: KeptRegistration,
  naming: Naming,
): Promise<RegisteredAgent> {
  const path = (await pathOf(connection, listingId, listingType, naming)) ?? publicPath;
  return { id: agentId, listingUrl: listingUrl(path, naming), isNew };
}

async function pathOf(
  connection: Connection,
  id: string,
  type: ListedType,
  naming: Naming,
): Promise<string | null> {
  return (await loadPublicPaths(connection, [{ id, type }], naming)).get(id) ?? null;
}
