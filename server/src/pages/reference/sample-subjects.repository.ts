import type { Connection } from '../../database/connect.ts';
import { publicHandle } from '../../subjects/bare-name.condition.ts';
import type { Naming } from '../../subjects/naming.ts';

/** The most trusted listing of a type on the first host, where a bare name is nobody else's; a walk along the order of scores. */
export async function findMostTrusted(
  connection: Connection,
  type: 'agent' | 'skill',
  naming: Naming,
): Promise<{ id: string; agentId: string; host: string; repository: string; creator: string } | null> {
  const [found] = await connection.query<{
    id: string;
    agentId: string;
    host: string;
    repository: string;
    creator: string;
  }>(
    `SELECT l.subject_id AS id, l.agent_id AS "agentId", l.host, l.repository,
       ${publicHandle('c', '($2::text[])')} AS creator
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id
     WHERE l.type = $1 AND l.host = ($2::text[])[1] AND l.trust IS NOT NULL
     ORDER BY l.trust DESC NULLS LAST, l.confidence DESC NULLS LAST, l.agent_id LIMIT 1`,
    [type, naming.hosts],
  );
  return found ?? null;
}
