import { publicHandle } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';

/**
 * Finds the most trusted listing of a type on the first configured host, because a name without a host means this host
 * first. Scans the index by score.
 */
export async function findMostTrusted(
  connection: Connection,
  type: 'agent' | 'skill',
  publicUrls: PublicUrls,
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
    [type, publicUrls.hosts],
  );
  return found ?? null;
}

/** Returns `platform:handle` of the first platform account of a type; null if there is none. One index lookup. */
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
