import { type ListingFlags, loadListingFlags } from '../../catalog/relations/listing-flags.ts';
import { findGone } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { trustEquityFlow } from '../../scoring/embedded/lineage-equity.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import {
  ARTIFACT,
  type FamilyMember,
  findAgentRecord,
  findCurrentAgentId,
  findFamily,
  loadAgentRecords,
  MAX_ANCESTORS,
  MAX_DESCENDANTS,
} from './agent-record.queries.ts';
import type { AgentRecord } from './agent-record.ts';

/**
 * Returns the record with this `AGT-` id, ignoring case, or the record of the listing into which it was merged. Throws
 * not_found, or gone if the listing was delisted.
 */
export async function getAgent(connection: Connection, agentId: string): Promise<AgentRecord> {
  const record = await findAgentRecord(connection, agentId.toUpperCase());
  if (record) return record;
  const current = await findCurrentAgentId(connection, agentId);
  const successor = current && (await findAgentRecord(connection, current));
  if (successor) return successor;
  throw await missingAgent(connection, agentId);
}

/** Creates the error for an unknown id: gone if it was delisted, otherwise not_found. */
async function missingAgent(connection: Connection, agentId: string): Promise<DomainError> {
  const asked = REPOSITORY_TYPES.map((type) => ({ label: agentId.toLowerCase(), type, place: 0 }));
  const missing = new DomainError('not_found', `No agent or skill has the id ${agentId}.`);
  return (await findGone(connection, asked)) ?? missing;
}

/** An artifact with the record of its repository's listing. */
interface ArtifactRecord {
  about: string;
  path: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** Host of the repository. */
  host: string;
  listing: AgentRecord;
}

/** Finds an artifact by its subject's id. Null if the subject is not an artifact. */
export async function findArtifact(
  connection: Connection,
  subjectId: string,
): Promise<ArtifactRecord | null> {
  type Row = AgentRecord & Omit<ArtifactRecord, 'listing'>;
  const [row] = await connection.query<Row>(ARTIFACT, [subjectId]);
  if (!row) return null;
  const { about, path, npmPackage, pypiPackage, host, ...listing } = row;
  return { about, path, npmPackage, pypiPackage, host, listing };
}

/** Returns the records of these subjects, in the given order. Subjects without a listing are skipped. */
export async function getAgents(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  const records = await loadAgentRecords(connection, subjectIds);
  return subjectIds.flatMap((id) => records.find(({ subjectId }) => subjectId === id) ?? []);
}

/**
 * Loads the flags of records, by subject id. Sends no query if no relation connects the whole repository of a record
 * with another one.
 */
export async function loadFlags(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, ListingFlags>> {
  const related = records.filter((record) => record.related).map(({ subjectId }) => subjectId);
  return loadListingFlags(connection, related);
}

/** A member of a family, with its relation to its parent. */
export interface LineageEntry {
  record: AgentRecord;
  /** `AGT-` id of the parent, even if the parent is not among the entries shown; null without a parent. */
  parentId: string | null;
  relation: string | null;
  /** True if the parent's creator owns or acknowledges the child; otherwise the relation is only a claim. */
  acknowledged: boolean;
  trustEquityFlow: number;
}

export interface Lineage {
  root: AgentRecord;
  /** Relation of the requested listing to its parent. */
  rootEdge: LineageEntry;
  /** Ancestors of the listing, nearest first. */
  ancestors: LineageEntry[];
  /** Descendants breadth first, children of one parent by id. */
  descendants: LineageEntry[];
  /** Number of generations from the oldest ancestor shown to the deepest descendant shown. */
  depth: number;
  /** True if there are more ancestors or descendants than shown. */
  truncated: boolean;
}

/**
 * Returns the listing that `getAgent` returns, with its ancestors and descendants: at most `MAX_ANCESTORS` and
 * `MAX_DESCENDANTS`. Throws not_found, and gone if the listing was delisted.
 */
export async function getAgentLineage(connection: Connection, agentId: string): Promise<Lineage> {
  const family = await findFamily(connection, agentId.toUpperCase());
  const root = family.find(({ depth }) => depth === 0);
  if (!root) {
    const current = await findCurrentAgentId(connection, agentId);
    if (current !== null) return getAgentLineage(connection, current);
    throw await missingAgent(connection, agentId);
  }
  const above = family.filter(({ depth }) => depth < 0).reverse();
  const below = family.filter(({ depth }) => depth > 0);
  const ancestors = above.slice(0, MAX_ANCESTORS);
  const shown = below.slice(0, MAX_DESCENDANTS);
  return {
    root,
    rootEdge: toEntry(root),
    ancestors: ancestors.map(toEntry),
    descendants: shown.map(toEntry),
    depth: ancestors.length + (shown.at(-1)?.depth ?? 0),
    truncated: above.length > MAX_ANCESTORS || below.length > MAX_DESCENDANTS,
  };
}

/** Returns the records of all members of a family. */
export function recordsOf({ root, ancestors, descendants }: Lineage): AgentRecord[] {
  return [root, ...[...ancestors, ...descendants].map(({ record }) => record)];
}

function toEntry(record: FamilyMember): LineageEntry {
  const { parentAgentId, relation, ownTrust, ownConfidence } = record;
  const acknowledged = record.acknowledged ?? false;
  const score = ownTrust === null || ownConfidence === null ? null : { ownTrust, ownConfidence };
  const flow = parentAgentId === null ? 0 : trustEquityFlow(score, acknowledged);
  return { record, parentId: parentAgentId, relation, acknowledged, trustEquityFlow: flow };
}
