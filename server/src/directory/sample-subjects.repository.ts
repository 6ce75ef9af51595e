import type { Connection } from '../database/connect.ts';
import { publicHandle } from '../subjects/bare-name.condition.ts';
import type { Naming } from '../subjects/naming.ts';

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
     FROM listing_rank k JOIN listing l ON l.subject_id = k.subject_id JOIN creator c ON c.subject_id = l.creator_id
     WHERE k.type = $1 AND l.host = ($2::text[])[1] AND k.trust IS NOT NULL
     ORDER BY k.trust DESC NULLS LAST, k.confidence DESC NULLS LAST, k.agent_id LIMIT 1`,
    [type, naming.hosts],
  );
  return found ?? null;
}

/** `platform:handle` of an account of a type, the first by platform and handle; a look at one entry of an index. */
export async function findAnAccount(
  connection: Connection,
  type: 'social_account' | 'messaging_account',
): Promise<string | null> {
  const [found] = await connection.query<{ platform: string; handle: string }>(
    'SELECT platform, handle FROM platform_account WHERE type = $1 ORDER BY platform, lower(handle) LIMIT 1',
    [type],
  );
  return found ? `${found.platform}:${found.handle}` : null;
}
