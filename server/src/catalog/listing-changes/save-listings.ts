import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { findCreatorNames } from '../creators/creator.queries.ts';
import { findDelistings, insertListings } from '../listings/listing.queries.ts';
import type { Renames } from '../listings/listing-names.ts';
import {
  type Category,
  type ListedType,
  type ListingRow,
  ownerOf,
  type RowOutcome,
  type SavedBatch,
  type SavedListing,
} from '../listings/listing-row.ts';
import { checkOwners } from '../listings/write-listings.ts';
import { creatorKey, nameKey } from '../registry-keys.ts';
import { lockKeys } from '../registry-locks.ts';
import { describeDelisting } from '../subjects/resolve-subject.ts';
import { applyDecisions } from './apply-rows.ts';
import { type Decision, decideListings, drawAgentIds } from './match-listings.ts';
import { relateListings, relateWithoutAliases } from './relate-listings.ts';

/**
 * Stores a batch of listing rows in a few statements: listings with their subjects and creators. Returns
 * `storeAliases`, with which the caller stores the aliases in the same transaction. An unchanged row writes nothing.
 * The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function saveListings(
  connection: Connection,
  rows: readonly ListingRow[],
  renames: Renames = new Map(),
): Promise<SavedBatch> {
  const decisions = await decideListings(connection, rows);
  const outcomes = decisions.map(outcomeOf);
  if (decisions.every(({ step }) => step === 'keep' || step === 'reject')) {
    return { outcomes, saved: [], due: [], dueByLineage: [] };
  }
  const saved = await applyDecisions(connection, decisions);
  await checkOwners(
    connection,
    saved.flatMap((each) => (isOfNewOwner(each) ? each.id : [])),
  );
  const consequences = await relateWithoutAliases(connection, saved, renames);
  const statedRenames = saved.flatMap(({ id, row }) =>
    row.formerRepositories.map((formerName) => ({ formerName, id })),
  );
  return { outcomes, saved: saved.map(({ id }) => id), ...consequences, statedRenames };
}

/**
 * Returns true if the listing is new or the row states another owner, so that the owner must be read from the host.
 */
function isOfNewOwner({ before, row }: SavedListing): boolean {
  if (before === null) return true;
  return ownerOf(before.repository).toLowerCase() !== ownerOf(row.repository).toLowerCase();
}

function outcomeOf(decision: Decision): RowOutcome {
  switch (decision.step) {
    case 'add':
      return 'added';
    case 'update':
      return 'changed';
    case 'keep':
      return 'unchanged';
    case 'reject':
      return { code: decision.code, reason: decision.reason };
  }
}

/** A repository that an account registers, with validated texts and a normalised URL. */
export interface NewListing {
  type: ListedType;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
  /** Repository host, lower case. */
  host: string;
  repository: string;
  repositoryUrl: string;
  /** Creator of the registering account. */
  creatorId: string;
  registeredBy: string;
}

/** Result of a registration. */
export interface InsertedListing {
  subjectId: string;
  agentId: string;
  /** Listings whose parent is now the new listing; they are scored after the new listing. */
  dueByLineage: string[];
}

/**
 * Stores one registered listing with its aliases in the caller's transaction. Throws already_registered if the
 * repository is listed, and gone if the operator delisted it. The caller must score the listing.
 */
export async function insertListing(connection: Connection, listing: NewListing): Promise<InsertedListing> {
  await lockKeys(connection, [nameKey(listing.repository), creatorKey(listing.creatorId)]);
  await requireNotDelisted(connection, listing);
  const [agentId = ''] = await drawAgentIds(connection, 1);
  const { creatorId, registeredBy } = listing;
  const row = registeredRow(listing);
  const creatorNames = await findCreatorNames(connection, creatorId);
  const id = uuidv7();
  const added = await insertListings(connection, [
    { id, row, agentId, registryRowId: uuidv7(), creatorId, registeredBy, creatorNames },
  ]);
  if (added === 0) throw new DomainError('already_registered', 'This repository is registered already.');
  const saved = { id, row, before: null, displaced: null };
  const { dueByLineage } = await relateListings(connection, [saved], new Map());
  return { subjectId: id, agentId, dueByLineage };
}

/** Throws gone for a repository that the operator removed, in any spelling and from any account. */
async function requireNotDelisted(
  connection: Connection,
  { host, repository }: Pick<NewListing, 'host' | 'repository'>,
): Promise<void> {
  const delisted = (await findDelistings(connection, [{ host, repository }])).get(0);
  if (!delisted) return;
  throw new DomainError(
    'gone',
    `${describeDelisting(delisted)} It can't be registered; ask the operator if you think that it should be.`,
  );
}

function registeredRow(listing: NewListing): ListingRow {
  const { type, name, description, category, tags, host, repository, repositoryUrl } = listing;
  const stated = { type, kind: type, name, description, category, tags, host, repository, repositoryUrl };
  return { ...stated, ...NOT_STATED, source: 'registration' };
}

const NOT_STATED = {
  hostRepositoryId: null,
  homepage: null,
  license: null,
  stars: null,
  forks: null,
  openIssues: null,
  lastCommitAt: null,
  repositoryCreatedAt: null,
  metricsObservedAt: null,
  npmPackage: null,
  npmMonthlyDownloads: null,
  pypiPackage: null,
  formerRepositories: [],
  parentRepository: null,
  parentRelation: null,
  probablyRenamedTo: null,
  imported: null,
} as const;
