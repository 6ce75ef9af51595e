import type { Connection } from '../../database/connect.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from '../../directory/agent-record.ts';

/** An artifact's own facts beside the record of the listing that holds it; null where there is none. */
export async function findArtifact(
  connection: Connection,
  subjectId: string,
): Promise<(AgentRecord & { about: string; path: string | null }) | null> {
  const [artifact = null] = await connection.query<AgentRecord & { about: string; path: string | null }>(
    `SELECT a.description AS about, a.path, ${AGENT_COLUMNS}
     FROM artifact a JOIN (${AGENT_TABLES}) ON l.subject_id = a.listing_id WHERE a.subject_id = $1`,
    [subjectId],
  );
  return artifact;
}
