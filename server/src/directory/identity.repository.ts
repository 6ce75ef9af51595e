import { batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { readTogether } from '../database/read-together.ts';
import { proofLeftMs } from '../registry/creators/proof-left.condition.ts';
import type { ForeignDescendant } from '../scoring/embedded/lineage-equity.ts';
import type { StoredAccounts } from '../scoring/facts/accounts-known.ts';
import { countsForCreator } from '../scoring/facts/own-listing.condition.ts';
import { hasRegistryNamespace } from '../scoring/facts/registry-namespace.condition.ts';
import { publicHandle } from '../subjects/bare-name.condition.ts';
import type { Naming } from '../subjects/naming.ts';

export interface CreatorRecord extends StoredAccounts {
  id: string;
  host: string;
  handle: string;
  /** `handle`, or `host:handle` where an earlier host has it too: it leads to this creator. */
  publicHandle: string;
  displayName: string | null;
  verified: boolean;
  /** Null until a confirmed score of the creator's own exists. */
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  scoreVersion: string | null;
  /** Agents and skills listed under the creator. */
  listingCount: number;
}

const readCreators = readTogether<
  { id: string; hosts: readonly string[] },
  CreatorRecord & { provedForMs: number | null }
>({
  sql: `SELECT asked.n, s.id, c.host, c.handle, ${publicHandle('c', 'asked.hosts')} AS "publicHandle", c.display_name AS "displayName",
      c.verified, v.trust, v.confidence, coalesce(v.tier, 'low') AS tier, utc_text(v.version) AS "scoreVersion",
      ARRAY(SELECT DISTINCT p.kind FROM proved_account p WHERE p.account_id = c.account_id) AS "provedKinds",
      ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
      (SELECT ${proofLeftMs('min(p.checked_at)')} FROM proved_account p WHERE p.account_id = c.account_id) AS "provedForMs",
      (SELECT count(*) FROM listing l WHERE l.creator_id = c.subject_id) AS "listingCount"
    FROM (${batchRows('id uuid, hosts text[]')}) AS asked JOIN subject s ON s.id = asked.id
    JOIN creator c ON c.subject_id = s.id LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version`,
  goodForMs: ([creator]) => creator?.provedForMs ?? Number.POSITIVE_INFINITY,
});

/** A creator with their current score, or null. */
export async function loadCreator(
  connection: Connection,
  id: string,
  { hosts }: Naming,
): Promise<CreatorRecord | null> {
  const [found] = await readCreators(connection, { id, hosts });
  if (!found) return null;
  const { n: _n, provedForMs: _provedForMs, ...creator } = found;
  return creator;
}

/**
 * Equity saturates (scoring method 5.4) long before this many of the nearest descendants; reading more of a famous
 * creator's would cost time and change nothing.
 */
const MOST_DESCENDANTS = 2_000;
const MOST_GENERATIONS = 64;
const CREATORS_TOGETHER = 8;

const readForeignDescendants = readTogether<{ id: string }, ForeignDescendant>({
  sql: `SELECT asked.n, foreign_one.depth, foreign_one.trust FROM (${batchRows('id uuid')}) AS asked
    CROSS JOIN LATERAL (WITH RECURSIVE below (id, depth, trust) AS (
       SELECT l.subject_id, 0, NULL::float8 FROM listing l JOIN creator c ON c.subject_id = l.creator_id
       WHERE l.creator_id = asked.id AND ${countsForCreator('l', 'c')}
       UNION ALL
       SELECT child.subject_id, below.depth + 1, k.trust FROM below JOIN listing child ON child.parent_id = below.id
         JOIN listing_rank k ON k.subject_id = child.subject_id
       WHERE child.creator_id <> asked.id AND below.depth < ${MOST_GENERATIONS})
     SELECT depth, trust FROM below WHERE depth > 0 AND trust IS NOT NULL LIMIT ${MOST_DESCENDANTS}) AS foreign_one`,
  maxBatch: CREATORS_TOGETHER,
});

/**
 * Scored listings of other creators that descend from this creator's, nearest first, each once: the walk starts at
 * the listings that count for the creator and ends where it meets one of the creator's again.
 */
export function findForeignDescendants(
  connection: Connection,
  creatorId: string,
): Promise<ForeignDescendant[]> {
  return readForeignDescendants(connection, { id: creatorId });
}
