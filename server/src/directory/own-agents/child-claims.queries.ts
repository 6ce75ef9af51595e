import type { LineageRelation } from '../../catalog/relations/choose-parents.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { columnOr, FOR_NO_KEY_UPDATE, NOW } from '../../platform/database/models/table.ts';
import { countsForCreator } from '../../scoring/facts/counts-for-creator.fragment.ts';

/**
 * A listing (the child) that names one of the account's listings as its parent. The child belongs to another creator, or
 * does not count for the account's creator (see `countsForCreator`). The account can acknowledge the child.
 */
export interface ChildClaim {
  childId: string;
  parentAgentId: string;
  /** Repository in the form `host/owner/name`. */
  parentRepository: string;
  /** True if the account has proved that it owns the parent's repository. */
  parentVerified: boolean;
  relation: LineageRelation;
  /** ISO 8601 UTC; null until acknowledged. Effective only while `parentVerified`. */
  acknowledgedAt: string | null;
  /** The parent's trust without its lineage signal; null without a confirmed score. */
  ownTrust: number | null;
  ownConfidence: number | null;
}

const CLAIMS = `
SELECT l.subject_id AS "childId", p.agent_id AS "parentAgentId", p.host || '/' || p.repository AS "parentRepository",
  p.verified AS "parentVerified",
  l.parent_relation AS relation, utc_text(l.parent_acknowledged_at) AS "acknowledgedAt", v.own_trust AS "ownTrust",
  v.own_confidence AS "ownConfidence"
FROM creator c JOIN listing p ON p.creator_id = c.subject_id
  JOIN listing l ON l.parent_id = p.subject_id AND (l.creator_id <> c.subject_id OR NOT ${countsForCreator('l', 'c')})
  JOIN subject s ON s.id = p.subject_id LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
WHERE c.account_id = $1`;

/** Finds a claim on an account's listing by the child's `AGT-` id. Null if the child's parent is not the account's. */
export async function findClaim(
  connection: Connection,
  accountId: string,
  childAgentId: string,
): Promise<ChildClaim | null> {
  const [claim] = await connection.query<ChildClaim>(`${CLAIMS} AND l.agent_id = upper($2)`, [
    accountId,
    childAgentId,
  ]);
  return claim ?? null;
}

/**
 * Returns claims on an account's listings, ordered by the child's id, after a given child. If `acknowledged` is null,
 * returns acknowledged and other claims.
 */
export function findClaims(
  connection: Connection,
  accountId: string,
  { acknowledged, after, limit }: { acknowledged: boolean | null; after: string; limit: number },
): Promise<(ChildClaim & { childAgentId: string })[]> {
  return connection.query(
    `${CLAIMS.replace('SELECT', 'SELECT l.agent_id AS "childAgentId",')}
     AND ($2::boolean IS NULL OR $2 = (l.parent_acknowledged_at IS NOT NULL)) AND l.agent_id > $3
     ORDER BY l.agent_id LIMIT $4`,
    [accountId, acknowledged, after, limit],
  );
}

/** Stores or clears an acknowledgement. A repeated acknowledgement keeps the time of the first one. Locks the child. */
export async function saveAcknowledgement(
  { models, transaction }: Connection,
  childId: string,
  acknowledged: boolean,
): Promise<void> {
  const lock = FOR_NO_KEY_UPDATE;
  await models.Subject.findOne({ attributes: ['id'], where: { id: childId }, lock, transaction });
  const parentAcknowledgedAt = acknowledged ? columnOr('parent_acknowledged_at', NOW) : null;
  await models.Listing.update({ parentAcknowledgedAt }, { where: { subjectId: childId }, transaction });
}
