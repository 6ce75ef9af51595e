import type { Connection } from '../../database/connect.ts';
import { DomainError } from '../../domain-error.ts';
import { findOwnRecords } from '../agent-record.repository.ts';
import type { AgentRecord } from '../agent-record.ts';
import { getAgent } from '../get-agent.ts';
import { findOwnSubject } from './refresh-score.repository.ts';

/** Some of an account's own listings. */
export interface OwnAgents {
  records: AgentRecord[];
  nextCursor: string | null;
}

const CURSOR = /^AGT-[0-9A-HJKMNP-TV-Z]{8}$/;

/** What is listed under the account's creator, newest first. Throws invalid_request for a cursor of another list. */
export async function listOwnAgents(
  connection: Connection,
  accountId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<OwnAgents> {
  const last = cursor === null ? null : readCursor(cursor);
  const found = await findOwnRecords(connection, accountId, last, limit + 1);
  const records = found.slice(0, limit);
  const next = found.length > limit ? records.at(-1) : undefined;
  return { records, nextCursor: next ? Buffer.from(next.agentId).toString('base64url') : null };
}

/** The account's own listing of this `AGT-` id; null where it is not theirs. Throws gone for one that was delisted. */
export async function findOwnAgent(
  connection: Connection,
  accountId: string,
  agentId: string,
): Promise<AgentRecord | null> {
  const record = await getAgent(connection, agentId).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'not_found') return null;
    throw error;
  });
  if (record === null) return null;
  return (await findOwnSubject(connection, accountId, agentId)) === record.subjectId ? record : null;
}

function readCursor(cursor: string): string {
  const agentId = Buffer.from(cursor, 'base64url').toString();
  if (CURSOR.test(agentId)) return agentId;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}
