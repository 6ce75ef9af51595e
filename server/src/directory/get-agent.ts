import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from './agent-record.ts';

/** The record with this `AGT-` id, in upper or lower case; throws not_found. */
export async function getAgent(connection: Connection, agentId: string): Promise<AgentRecord> {
  const [record] = await connection.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.agent_id = $1`,
    [agentId.toUpperCase()],
  );
  if (!record) throw new DomainError('not_found', `No agent or skill has the id ${agentId}.`);
  return record;
}
