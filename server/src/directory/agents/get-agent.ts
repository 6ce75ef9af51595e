import { type ListingFlags, loadListingFlags } from '../../catalog/relations/listing-flags.ts';
import { findGone } from '../../catalog/subjects/delisted.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import { ARTIFACT, findAgentRecord, loadAgentRecords } from './agent-record.queries.ts';
import type { AgentRecord } from './agent-record.ts';

/** Returns the record with this `AGT-` id, in any case. Throws not_found, and gone if it was delisted. */
export async function getAgent(connection: Connection, agentId: string): Promise<AgentRecord> {
  const record = await findAgentRecord(connection, agentId.toUpperCase());
  if (record) return record;
  throw await missingAgent(connection, agentId);
}

/** Creates the error for an unknown id: gone if it was delisted, otherwise not_found. */
export async function missingAgent(connection: Connection, agentId: string): Promise<DomainError> {
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

/** Returns the records of these subjects, in order. Subjects without a listing are skipped. */
export async function getAgents(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  const records = await loadAgentRecords(connection, subjectIds);
  return subjectIds.flatMap((id) => records.find(({ subjectId }) => subjectId === id) ?? []);
}

/** Loads the flags of records, by subject. Costs no query if no relation concerns any of them. */
export async function loadFlags(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, ListingFlags>> {
  const related = records.filter((record) => record.related).map(({ subjectId }) => subjectId);
  return loadListingFlags(connection, related);
}
