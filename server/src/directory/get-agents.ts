import type { Connection } from '../database/connect.ts';
import { loadAgentRecords } from './agent-record.repository.ts';
import type { AgentRecord } from './agent-record.ts';

/** The records of these subjects, in their order; one without a listing is left out. */
export async function getAgents(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  const records = await loadAgentRecords(connection, subjectIds);
  return subjectIds.flatMap((id) => records.find(({ subjectId }) => subjectId === id) ?? []);
}
