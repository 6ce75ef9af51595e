import type { Connection } from '../../database/connect.ts';
import { readTogether } from '../../database/read-together.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';
import { OF_CREATOR } from './creator-relations.sql.ts';
import { FIRST_SEEN, OF_FILE, OF_LISTING } from './relations.sql.ts';

/** One other repository, or file in it, of which something is said; all of a kind and direction share their counts. */
export interface RelationRow {
  direction: 'out' | 'in' | 'both';
  kind: string;
  ofFiles: boolean;
  others: number;
  allFiles: number;
  files: number;
  path: string | null;
  evidence: string | null;
  source: string | null;
  since: string | null;
  stated: boolean;
  otherId: string | null;
  agentId: string | null;
  type: 'agent' | 'skill' | null;
  name: string | null;
  repository: string;
  trust: number | null;
  confidence: number | null;
  verdict: VerdictState | null;
  /** Of files alone: how many of the others' ages are known, the subject's and this one's, and the artifact that the file is. */
  dated?: number;
  ownCreatedAt?: string | null;
  createdAt?: string | null;
  artifactId?: string | null;
  artifactType?: 'agent' | 'skill' | null;
  artifactName?: string | null;
  /** Of a creator's listings alone: which of them it is said of. */
  ownId?: string;
  ownType?: 'agent' | 'skill';
  ownRepository?: string;
}

/** The oldest repository of some of a listing's files, null where no age is known, beside what is inside the listing. */
export interface FirstSeenRow {
  /** Skills listed inside it, and how many of them are files that are also elsewhere. */
  skills: number;
  matched: number;
  otherId: string | null;
  type: 'agent' | 'skill';
  repository: string;
  files: number;
  createdAt: string;
}

/** Which of what is said: all kinds where `kind` is null. */
export interface AskedRelations {
  kind: string | null;
  direction: string | null;
  most: number;
  skip: number;
}

const ofListings = readTogether<AskedRelations & { id: string }, RelationRow>({
  sql: OF_LISTING,
  maxBatch: 8,
});
const ofFiles = readTogether<AskedRelations & { id: string; paths: readonly string[] }, RelationRow>({
  sql: OF_FILE,
  maxBatch: 8,
});
const ofCreators = readTogether<AskedRelations & { id: string }, RelationRow>({
  sql: OF_CREATOR,
  maxBatch: 8,
});
const firstSeen = readTogether<{ id: string }, FirstSeenRow>({ sql: FIRST_SEEN, maxBatch: 8 });

/** What is said of a listing. */
export function findListingRelations(
  connection: Connection,
  listingId: string,
  asked: AskedRelations,
): Promise<RelationRow[]> {
  return ofListings(connection, { id: listingId, ...asked });
}

/** What is said of the file with any of these paths. */
export function findFileRelations(
  connection: Connection,
  listingId: string,
  paths: readonly string[],
  asked: AskedRelations,
): Promise<RelationRow[]> {
  return ofFiles(connection, { id: listingId, paths, ...asked });
}

/** What is said of a creator's listings and others. */
export function findCreatorRelations(
  connection: Connection,
  creatorId: string,
  asked: AskedRelations,
): Promise<RelationRow[]> {
  return ofCreators(connection, { id: creatorId, ...asked });
}

/** The oldest repositories of a listing's files that are also elsewhere. */
export function findFirstSeen(connection: Connection, listingId: string): Promise<FirstSeenRow[]> {
  return firstSeen(connection, { id: listingId });
}
