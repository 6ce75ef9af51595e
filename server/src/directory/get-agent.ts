import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { findGone } from '../subjects/delisted.ts';
import { REPOSITORY_TYPES } from '../subjects/subject-type.ts';
import { findAgentRecord } from './agent-record.repository.ts';
import type { AgentRecord } from './agent-record.ts';

/** The record with this `AGT-` id, in upper or lower case; throws not_found, and gone for one that was delisted. */
export async function getAgent(connection: Connection, agentId: string): Promise<AgentRecord> {
  const record = await findAgentRecord(connection, agentId.toUpperCase());
  if (record) return record;
  throw await missingAgent(connection, agentId);
}

/** Why no listing has this id: not_found, or gone for one that was delisted. */
export async function missingAgent(connection: Connection, agentId: string): Promise<DomainError> {
  const asked = REPOSITORY_TYPES.map((type) => ({ label: agentId.toLowerCase(), type, place: 0 }));
  const missing = new DomainError('not_found', `No agent or skill has the id ${agentId}.`);
  return (await findGone(connection, asked)) ?? missing;
}
