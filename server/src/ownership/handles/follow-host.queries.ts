import type { Connection } from '../../platform/database/connect.ts';
import { NOW } from '../../platform/database/models/table.ts';

/** The current creator of a listing, and the owner of its repository. */
export interface ListingHolder {
  creatorId: string;
  /** Directory account of the creator; null for an unclaimed creator. */
  accountId: string | null;
  registeredBy: string | null;
  verified: boolean;
  /** The host's id of the repository's owner; null if unknown or in doubt. */
  hostOwnerId: string | null;
}

/** Returns the current creator of a listing, and the owner id that was last read; null if there is no such listing. */
export async function findHolder(connection: Connection, listingId: string): Promise<ListingHolder | null> {
  // Raw SQL: joins the creator.
  const [holder] = await connection.query<ListingHolder>(
    `SELECT l.creator_id AS "creatorId", c.account_id AS "accountId", l.registered_by AS "registeredBy", l.verified,
       l.host_owner_id AS "hostOwnerId"
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`,
    [listingId],
  );
  return holder ?? null;
}

/**
 * Returns the host's id of the host account that owns the most listings of a creator. Returns null if `hostAccountId`
 * owns any of them, or if no owner is known.
 */
export async function findOtherOwner(
  connection: Connection,
  creatorId: string,
  hostAccountId: string,
): Promise<string | null> {
  // Raw SQL: reads all listings of the creator once.
  const [other] = await connection.query<{ id: string }>(
    `SELECT host_owner_id AS id FROM listing l WHERE creator_id = $1 AND host_owner_id <> $2
       AND NOT EXISTS (SELECT FROM listing o WHERE o.creator_id = $1 AND o.host_owner_id = $2)
     GROUP BY host_owner_id ORDER BY count(*) DESC, 1 LIMIT 1`,
    [creatorId, hostAccountId],
  );
  return other?.id ?? null;
}

/** Changes a creator's handle. If the creator has no display name and is not merged, its subject's name changes too. */
export async function renameHandleOwner(
  connection: Connection,
  creatorId: string,
  handle: string,
): Promise<void> {
  await connection.query(
    `UPDATE subject s SET name = $2 FROM creator c
     WHERE s.id = $1 AND c.subject_id = s.id AND c.display_name IS NULL AND c.merged_into IS NULL`,
    [creatorId, handle],
  );
  const { models, transaction } = connection;
  await models.Creator.update({ handle, updatedAt: NOW }, { where: { subjectId: creatorId }, transaction });
}

/**
 * Replaces the owner's old handle in the names of a creator's repositories. Skips repositories that another account of
 * the host is known to own. A repository keeps its old name if its new one is already listed. Returns the renamed
 * listings with their previous names. The caller has locked the listings' subjects.
 */
export function renameListings(
  connection: Connection,
  creatorId: string,
  { host, hostAccountId, from, to }: { host: string; hostAccountId: string; from: string; to: string },
): Promise<{ id: string; before: string }[]> {
  return connection.query(
    `WITH renamed AS MATERIALIZED (
       SELECT l.subject_id, l.repository AS before, $4 || '/' || split_part(l.repository, '/', 2) AS repository
       FROM listing l WHERE l.creator_id = $1 AND l.host = $2 AND lower(split_part(l.repository, '/', 1)) = lower($3)
         AND (l.host_owner_id IS NULL OR l.host_owner_id = $5))
     UPDATE listing l SET repository = r.repository, updated_at = ledger_now(),
       repository_url = 'https://' || l.host || '/' || r.repository
     FROM renamed r WHERE l.subject_id = r.subject_id AND NOT EXISTS (SELECT FROM listing o
       WHERE lower(o.host) = lower(l.host) AND lower(o.repository) = lower(r.repository))
     RETURNING l.subject_id AS id, r.before`,
    [creatorId, host, from, to, hostAccountId],
  );
}
