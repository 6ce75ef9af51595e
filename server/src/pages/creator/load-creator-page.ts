import type { Connection } from '../../database/connect.ts';
import { AGENT_COLUMNS, AGENT_TABLES, type AgentRecord } from '../../directory/agent-record.ts';
import { getIdentity } from '../../directory/get-identity.ts';
import type { Naming } from '../../subjects/naming.ts';
import { PAGE_SIZE } from '../home/page-query.ts';
import { linkAgents } from '../link-agents.ts';
import type { CreatorPage } from '../page-data.ts';
import { loadScoreDetail } from '../score/score-detail.repository.ts';
import { loadProved } from './load-creator-card.ts';

/** Everything the page of a creator shows, with the listings after the first `offset`; throws not_found. */
export async function loadCreatorPage(
  connection: Connection,
  handle: string,
  naming: Naming,
  offset = 0,
): Promise<CreatorPage> {
  const identity = await getIdentity(connection, handle, naming);
  const records = await connection.query<AgentRecord>(
    `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.creator_id = $1
     ORDER BY l.trust DESC NULLS LAST, l.confidence DESC NULLS LAST, l.agent_id LIMIT ${PAGE_SIZE} OFFSET $2`,
    [identity.id, offset],
  );
  return {
    identity,
    score: await loadScoreDetail(connection, identity.id),
    proved: await loadProved(connection, identity.id),
    listings: await linkAgents(connection, records, naming),
    offset,
  };
}
