import type { Connection } from '../database/connect.ts';
import { ARTIFACT } from './agent-record.sql.ts';
import type { AgentRecord } from './agent-record.ts';

/** What is inside a repository, with the record of its listing. */
export interface ArtifactRecord {
  about: string;
  path: string | null;
  npmPackage: string | null;
  pypiPackage: string | null;
  /** Of its repository. */
  host: string;
  listing: AgentRecord;
}

/** The artifact that this subject is; null where it is none. */
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
