import { batchJson, batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { readTogether } from '../database/read-together.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from './agent-record.sql.ts';
import type { AgentRecord } from './agent-record.ts';

const SELECT = `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES}`;

/** Records of these subjects; those without a listing are not in the answer. In no order. */
export function loadAgentRecords(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(BY_SUBJECTS, [batchJson(subjectIds.map((id) => ({ id })))]);
}

// By `= ANY`, whose length tells how many there are, it was planned for each time: that takes as long as reading forty of them.
const BY_SUBJECTS = `SELECT ${AGENT_COLUMNS} FROM (${batchRows('id uuid')}) AS asked JOIN (${AGENT_TABLES}) ON l.subject_id = asked.id`;

const readByIds = readTogether<{ id: string }, AgentRecord>({
  sql: `SELECT asked.n, ${AGENT_COLUMNS} FROM (${batchRows('id text')}) AS asked JOIN (${AGENT_TABLES}) ON l.agent_id = asked.id`,
});

/** The record with this `AGT-` id, in upper case; null where no listing has it. */
export async function findAgentRecord(connection: Connection, agentId: string): Promise<AgentRecord | null> {
  const [record] = await readByIds(connection, { id: agentId });
  return record ?? null;
}

// A cursor names the last listing of a page: where it stands is read anew, so that its moment need not travel.
const OWN = `${SELECT}
WHERE c.account_id = $1 AND ($2::text IS NULL
  OR (l.listed_at, l.agent_id) < (SELECT p.listed_at, p.agent_id FROM listing p WHERE p.agent_id = $2))
ORDER BY l.listed_at DESC, l.agent_id DESC LIMIT $3`;

/** The listings of an account's creator, newest first, after one of them (null: from the first). */
export function findOwnRecords(
  connection: Connection,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(OWN, [accountId, after, limit]);
}
