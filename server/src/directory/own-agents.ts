import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from './agent-record.ts';

/** Some of an account's own listings. */
export interface OwnAgents {
  records: AgentRecord[];
  nextCursor: string | null;
}

const CURSOR = /^AGT-[0-9A-HJKMNP-TV-Z]{8}$/;

// A cursor names the last listing of a page: where it stands is read anew, so that its moment need not travel.
const LIST_SQL = `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES}
WHERE c.account_id = $1 AND ($2::text IS NULL
  OR (l.listed_at, l.agent_id) < (SELECT p.listed_at, p.agent_id FROM listing p WHERE p.agent_id = $2))
ORDER BY l.listed_at DESC, l.agent_id DESC LIMIT $3`;

/** What is listed under the account's creator, newest first. Throws invalid_request for a cursor of another list. */
export async function listOwnAgents(
  connection: Connection,
  accountId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<OwnAgents> {
  const last = cursor === null ? null : readCursor(cursor);
  const found = await connection.query<AgentRecord>(LIST_SQL, [accountId, last, limit + 1]);
  const records = found.slice(0, limit);
  const next = found.length > limit ? records.at(-1) : undefined;
  return { records, nextCursor: next ? Buffer.from(next.agentId).toString('base64url') : null };
}

function readCursor(cursor: string): string {
  const agentId = Buffer.from(cursor, 'base64url').toString();
  if (CURSOR.test(agentId)) return agentId;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}
