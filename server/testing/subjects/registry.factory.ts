import { randomUUID } from 'node:crypto';
import { listingWords } from '../../src/catalog/listings/listing-words.ts';
import { addListingCopies, updateListingCopies } from '../../src/catalog/listings/write-listings.ts';
import {
  type Alias,
  artifactAliases,
  creatorAliases,
  listingAliases,
} from '../../src/catalog/subjects/stored-aliases.ts';
import { addAliases } from '../../src/catalog/subjects/subject-alias.queries.ts';
import type { Connection } from '../../src/platform/database/connect.ts';
import type { SubjectType } from '../../src/scoring/subject-type.ts';
import { writeListings } from '../outdated-copies.ts';

export interface MadeCreator {
  id: string;
  host: string;
  handle: string;
}

export interface MadeListing {
  id: string;
  agentId: string;
  registryRowId: string;
  creator: MadeCreator;
  host: string;
  repository: string;
  type: 'agent' | 'skill';
}

export interface CreatorInput {
  host?: string;
  handle?: string;
  displayName?: string | null;
  verified?: boolean;
  accountId?: string | null;
}

export interface ListingInput {
  host?: string;
  type?: 'agent' | 'skill';
  repository?: string;
  name?: string;
  description?: string;
  category?: string;
  tags?: string[];
  verified?: boolean;
  creator?: MadeCreator;
  stars?: number | null;
  forks?: number | null;
  openIssues?: number | null;
  lastCommitAt?: string | null;
  repositoryUrl?: string;
  homepage?: string | null;
  license?: string | null;
  npmPackage?: string | null;
  pypiPackage?: string | null;
  formerRepositories?: string[];
  parentId?: string | null;
  acknowledged?: boolean;
  source?: string;
  listedAt?: string;
}

let made = 0;

/** Inserts a creator with its aliases, as an import does. */
export async function makeCreator(connection: Connection, input: CreatorInput = {}): Promise<MadeCreator> {
  made += 1;
  const creator = {
    id: randomUUID(),
    host: input.host ?? 'github.com',
    handle: input.handle ?? `maker-${made}`,
  };
  const displayName = input.displayName ?? null;
  await insertSubject(connection, creator.id, 'creator', displayName ?? creator.handle);
  await connection.query(
    `INSERT INTO creator (subject_id, host, handle, display_name, verified, account_id) VALUES ($1, $2, $3, $4, $5, $6)`,
    [creator.id, creator.host, creator.handle, displayName, input.verified ?? false, input.accountId ?? null],
  );
  await nameSubject(connection, creator.id, 'creator', creatorAliases({ ...creator, displayName }));
  return creator;
}

/** Inserts a listing with its creator, search words and aliases, as an import does. */
export async function makeListing(connection: Connection, input: ListingInput = {}): Promise<MadeListing> {
  made += 1;
  const { host = 'github.com', type = 'skill' } = input;
  const { repository = `${input.creator?.handle ?? `owner-${made}`}/repo-${made}` } = input;
  const { name = repository.split('/')[1] ?? '', npmPackage = null, pypiPackage = null } = input;
  const creator = input.creator ?? (await ownerOf(connection, host, repository));
  const listing: MadeListing = {
    id: randomUUID(),
    agentId: `AGT-${made.toString().padStart(8, '0')}`,
    registryRowId: randomUUID(),
    creator,
    host,
    repository,
    type,
  };
  const words = listingWords({
    name,
    repository,
    description: input.description ?? '',
    tags: input.tags ?? [],
    category: input.category ?? 'other',
    creatorNames: [creator.handle],
  });
  await insertSubject(connection, listing.id, type, name);
  await connection.query(
    `INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, description, category, tags, creator_id,
       host, repository, repository_url, homepage, license, stars, forks, open_issues, last_commit_at, npm_package,
       pypi_package, verified, parent_id, parent_relation, parent_stated, parent_acknowledged_at, source, listed_at, updated_at)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
       $23, $24, $25, $26, coalesce($27, ledger_now()), ledger_now())`,
    [
      listing.id,
      listing.registryRowId,
      listing.agentId,
      type,
      name,
      input.description ?? '',
      input.category ?? 'other',
      input.tags ?? [],
      creator.id,
      host,
      repository,
      input.repositoryUrl ?? `https://${host}/${repository}`,
      input.homepage ?? null,
      input.license ?? null,
      input.stars ?? null,
      input.forks ?? null,
      input.openIssues ?? null,
      input.lastCommitAt ?? null,
      npmPackage,
      pypiPackage,
      input.verified ?? false,
      input.parentId ?? null,
      input.parentId ? 'based_on' : null,
      input.parentId ? false : null,
      input.acknowledged ? '2026-01-01T00:00:00Z' : null,
      input.source ?? 'acme/list',
      input.listedAt ?? null,
    ],
  );
  await addListingCopies(connection, [{ subject_id: listing.id, ...words }]);
  const formerRepositories = input.formerRepositories ?? [];
  const names = { ...listing, name, npmPackage, pypiPackage, formerRepositories };
  await nameSubject(connection, listing.id, type, listingAliases(names));
  return listing;
}

/** Moves a listing to another creator; the former one stays in its history. */
export async function passOn(connection: Connection, listingId: string, creatorId: string): Promise<void> {
  await connection.query(
    `WITH passed_on AS (INSERT INTO listing_creator_history (listing_id, creator_id)
       SELECT subject_id, creator_id FROM listing WHERE subject_id = $1)
     UPDATE listing SET creator_id = $2 WHERE subject_id = $1`,
    [listingId, creatorId],
  );
}

/** Inserts a relation that leads from one listing to another. */
export async function makeRelation(
  connection: Connection,
  type: string,
  [from, to]: readonly [from: MadeListing, to: MadeListing],
  { stated = true }: { stated?: boolean } = {},
): Promise<void> {
  await connection.query(
    `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
     VALUES ($1, $2, $3, $4, $5, true, $6, 'acme/list')`,
    [type, from.repository, to.repository, from.id, to.id, stated],
  );
}

/** Inserts an artifact into a listed repository. Returns its subject id. */
export async function makeArtifact(
  connection: Connection,
  listing: MadeListing,
  input: { name?: string; type?: 'agent' | 'skill'; path?: string | null; npmPackage?: string | null } = {},
): Promise<string> {
  made += 1;
  const { name = `artifact-${made}`, type = 'skill', path = null, npmPackage = null } = input;
  const id = randomUUID();
  await insertSubject(connection, id, type, name);
  await connection.query(
    `INSERT INTO artifact (subject_id, registry_row_id, listing_id, type, kind, name, path, npm_package, source)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, 'acme/list')`,
    [id, randomUUID(), listing.id, type, name, path, npmPackage],
  );
  const { host, repository } = listing;
  const names = { id, host, repository, name, path, npmPackage, pypiPackage: null };
  await nameSubject(connection, id, type, artifactAliases(names));
  return id;
}

export interface ScoreInput {
  trust: number;
  confidence: number;
  tier?: 'high' | 'medium' | 'low';
  ownTrust?: number;
  ownConfidence?: number;
  version?: string;
}

/** Stores a confirmed, current score, as the metered route does. */
export async function makeScore(
  connection: Connection,
  subject: { id: string; type?: SubjectType },
  input: ScoreInput,
): Promise<void> {
  const { trust, confidence, tier = 'low', ownTrust = trust, ownConfidence = confidence } = input;
  const version = input.version ?? '2026-08-01T10:20:30.123456Z';
  await connection.query(
    `WITH e AS (INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status,
       own_trust, own_confidence, source, method_version, freshness)
     SELECT id, gen_random_uuid(), type, $3, $4, 0, $5, 'partial', $6, $7, 'embedded', 'rs-1.0.0', $2
     FROM subject WHERE id = $1 RETURNING subject_id, content)
     INSERT INTO score_version (subject_id, version, content) SELECT subject_id, $2, content FROM e`,
    [subject.id, version, trust, confidence, tier, ownTrust, ownConfidence],
  );
  await connection.query('UPDATE subject SET current_version = $2 WHERE id = $1', [subject.id, version]);
  await writeListings(
    connection,
    'UPDATE listing_rank SET trust = $2, confidence = $3, tier = $4, score_version = $5 WHERE subject_id = $1',
    [subject.id, trust, confidence, tier, version],
  );
  await updateListingCopies(connection, [subject.id]);
}

async function ownerOf(connection: Connection, host: string, repository: string): Promise<MadeCreator> {
  const handle = repository.split('/')[0] ?? '';
  const [known] = await connection.query<MadeCreator>(
    'SELECT subject_id AS id, host, handle FROM creator WHERE host = $1 AND lower(handle) = lower($2)',
    [host, handle],
  );
  return known ?? makeCreator(connection, { host, handle });
}

async function insertSubject(
  connection: Connection,
  id: string,
  type: SubjectType,
  name: string,
): Promise<void> {
  await connection.query('INSERT INTO subject (id, type, name) VALUES ($1, $2, $3)', [id, type, name]);
}

async function nameSubject(
  connection: Connection,
  subjectId: string,
  subjectType: SubjectType,
  aliases: readonly Alias[],
): Promise<void> {
  await addAliases(connection, [{ subjectId, subjectType, aliases }]);
}
