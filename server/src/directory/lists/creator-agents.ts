import type { Connection } from '../../database/connect.ts';
import { CREATORS_BEST } from '../agent-record.sql.ts';
import type { AgentRecord } from '../agent-record.ts';

/** A page of a creator's listings, the most trusted first. */
export function listCreatorAgents(
  connection: Connection,
  creatorId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(CREATORS_BEST, [creatorId, limit, offset]);
}
