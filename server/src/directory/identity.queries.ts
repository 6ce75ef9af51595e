import { remainingProofMs } from '../catalog/creators/verified.ts';
import { publicHandle } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import { batchRows } from '../platform/batching/batch-source.ts';
import { createBatchedRead } from '../platform/batching/batched-read.ts';
import type { Connection } from '../platform/database/connect.ts';
import type { ForeignDescendant } from '../scoring/embedded/lineage-equity.ts';
import { countsForCreator } from '../scoring/facts/counts-for-creator.fragment.ts';
import { hasRegistryNamespace, type StoredAccounts } from '../scoring/facts/creator-identity.ts';

export interface CreatorRecord extends StoredAccounts {
  id: string;
  host: string;
  handle: string;
  /** `handle`, or `host:handle` if the handle alone would not resolve to this creator. */
  publicHandle: string;
  displayName: string | null;
  verified: boolean;
  /** Null until the creator has a confirmed score. */
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  scoreVersion: string | null;
  /** Number of the creator's agents and skills. */
  listingCount: number;
}

const readCreators = createBatchedRead<
  { id: string; hosts: readonly string[] },
  CreatorRecord & { provedForMs: number | null }
>({
  sql: `SELECT asked.n, s.id, c.host, c.handle, ${publicHandle('c', 'asked.hosts')} AS "publicHandle", c.display_name AS "displayName",
      c.verified, v.trust, v.confidence, coalesce(v.tier, 'low') AS tier, utc_text(v.version) AS "scoreVersion",
      ARRAY(SELECT DISTINCT p.kind FROM proved_account p WHERE p.account_id = c.account_id) AS "provedKinds",
      ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
      (SELECT ${remainingProofMs('min(p.checked_at)')} FROM proved_account p WHERE p.account_id = c.account_id) AS "provedForMs",
      (SELECT count(*) FROM listing l WHERE l.creator_id = c.subject_id) AS "listingCount"
    FROM (${batchRows('id uuid, hosts text[]')}) AS asked JOIN subject s ON s.id = asked.id
    JOIN creator c ON c.subject_id = s.id LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version`,
  goodForMs: ([creator]) => creator?.provedForMs ?? Number.POSITIVE_INFINITY,
});

/** Loads a creator with the current score. Returns null if no creator has this id. */
export async function loadCreator(
  connection: Connection,
  id: string,
  { hosts }: PublicUrls,
): Promise<CreatorRecord | null> {
  const [found] = await readCreators(connection, { id, hosts });
  if (!found) return null;
  const { n: _n, provedForMs: _provedForMs, ...creator } = found;
  return creator;
}

/**
 * Maximum descendants read, nearest first. Trust equity reaches its maximum (scoring method 5.4) with far fewer of them.
 */
const MAX_DESCENDANTS = 2_000;
const MAX_GENERATIONS = 64;
const CREATORS_PER_BATCH = 8;

const readForeignDescendants = createBatchedRead<{ id: string }, ForeignDescendant>({
  sql: `SELECT asked.n, foreign_one.depth, foreign_one.trust FROM (${batchRows('id uuid')}) AS asked
    CROSS JOIN LATERAL (WITH RECURSIVE below (id, depth, trust) AS (
       SELECT l.subject_id, 0, NULL::float8 FROM listing l JOIN creator c ON c.subject_id = l.creator_id
       WHERE l.creator_id = asked.id AND ${countsForCreator('l', 'c')}
       UNION ALL
       SELECT child.subject_id, below.depth + 1, k.trust FROM below JOIN listing child ON child.parent_id = below.id
         JOIN listing_rank k ON k.subject_id = child.subject_id
       WHERE child.creator_id <> asked.id AND below.depth < ${MAX_GENERATIONS})
     SELECT depth, trust FROM below WHERE depth > 0 AND trust IS NOT NULL LIMIT ${MAX_DESCENDANTS}) AS foreign_one`,
  maxBatch: CREATORS_PER_BATCH,
});

/**
 * Returns scored listings of other creators that descend from this creator's listings, nearest first, each once. The
 * search starts at the creator's listings that count for the creator (see `countsForCreator`). It stops at the creator's
 * listings that do not count: their descendants are not returned.
 */
export function findForeignDescendants(
  connection: Connection,
  creatorId: string,
): Promise<ForeignDescendant[]> {
  return readForeignDescendants(connection, { id: creatorId });
}
