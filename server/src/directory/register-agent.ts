import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { EMBEDDED_SOURCE } from '../scoring/embedded/rs-1.0.0.ts';
import { scoreSubjects } from '../scoring/score-subjects.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { findSubjects } from '../subjects/found-subject.repository.ts';
import type { Naming } from '../subjects/naming.ts';
import { listingUrl } from '../subjects/public-path.ts';
import { markDue } from './import/score-due.repository.ts';
import { lockLineage, setParent } from './lineage-edges.ts';
import { ensureAccountCreator, findListedRepository, findParent } from './register-agent.repository.ts';
import { type RepositoryUrl, readRepositoryUrl } from './repository-url.ts';
import { insertListing } from './save-listings.ts';
import type { Category, ListedType } from './save-listings-row.ts';

/** A registration whose shape the contract has checked. */
export interface Registration {
  repoHostUrl: string;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  type: ListedType;
  /** `AGT-` id of what it is based on: a claim. */
  parentId: string | null;
  accountId: string;
  /** Repository hosts that registration takes. */
  allowedHosts: readonly string[];
  backend: ScoringBackend;
  naming: Naming;
  /** Reads the caller's credential again, for the length of the transaction; throws 401 where it lives no more. */
  lockCredential(connection: Connection): Promise<void>;
}

export interface RegisteredAgent {
  id: string;
  listingUrl: string;
}

/**
 * Lists a repository under the caller's own identity, unverified, and scores it at once where the embedded backend
 * scores. All of it or nothing is stored. Throws invalid_request, already_registered, unauthorized.
 */
export async function registerAgent(
  database: Database,
  registration: Registration,
): Promise<RegisteredAgent> {
  const { naming } = registration;
  requireWellFormed([registration.name, registration.description, ...registration.tags]);
  const address = readRepositoryUrl(registration.repoHostUrl, registration.allowedHosts);
  return inTransaction(database, async (connection) => {
    await registration.lockCredential(connection);
    // First of all locks on the registry, as everywhere: two registrations could otherwise wait for each other.
    await lockLineage(connection);
    await requireUnlisted(connection, address);
    const parentId =
      registration.parentId === null ? null : await requireParent(connection, registration.parentId);
    const creatorId = await ensureAccountCreator(connection, registration.accountId);
    const { host, repository, url } = address;
    const { type, name, description, category, tags, accountId: registeredBy } = registration;
    const texts = { type, name, description, category, tags };
    const { subjectId, agentId, dueByLineage } = await insertListing(connection, {
      ...texts,
      host,
      repository,
      repositoryUrl: url,
      creatorId,
      registeredBy,
    });
    const reparented = parentId === null ? [] : await claimParent(connection, subjectId, parentId);
    await score(connection, registration.backend, [subjectId, ...dueByLineage, ...reparented]);
    return { id: agentId, listingUrl: await urlOf(connection, subjectId, type, naming) };
  });
}

/** Half of a character can't be stored, and the contract's patterns let it pass. */
function requireWellFormed(texts: readonly string[]): void {
  if (texts.every((text) => text.isWellFormed())) return;
  throw new DomainError('invalid_request', 'name, description and tags must be well-formed Unicode.');
}

async function requireUnlisted(connection: Connection, { host, repository }: RepositoryUrl): Promise<void> {
  const listed = await findListedRepository(connection, host, repository);
  if (listed === null) return;
  throw new DomainError('already_registered', `${host}/${repository} is already registered as ${listed}.`);
}

async function requireParent(connection: Connection, agentId: string): Promise<string> {
  const parentId = await findParent(connection, agentId);
  if (parentId !== null) return parentId;
  throw new DomainError('invalid_request', 'parentId names no agent or skill.');
}

async function claimParent(connection: Connection, childId: string, parentId: string): Promise<string[]> {
  const { changed } = await setParent(connection, { childId, parentId, relation: 'based_on', stated: false });
  return changed;
}

/** A remote backend is never asked inside a transaction: what it has to score is noted, and null is shown until then. */
async function score(
  connection: Connection,
  backend: ScoringBackend,
  subjectIds: readonly string[],
): Promise<void> {
  const due = [...new Set(subjectIds)];
  if (backend.source === EMBEDDED_SOURCE) await scoreSubjects(connection, backend, due);
  else await markDue(connection, due, true);
}

async function urlOf(connection: Connection, id: string, type: ListedType, naming: Naming): Promise<string> {
  const [listing] = await findSubjects(connection, [{ label: id, type, place: 0 }], 1, naming);
  if (!listing) throw new Error('a listing that was just stored is not found by its id');
  return listingUrl(listing, naming);
}
