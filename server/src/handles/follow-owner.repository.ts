import type { Connection } from '../database/connect.ts';

/** Who has a listing. */
export interface ListingHolder {
  creatorId: string;
  /** The account that the creator is; null for a creator that nobody has proved to be. */
  accountId: string | null;
  registeredBy: string | null;
  verified: boolean;
  /** Null where it is not known, or in doubt. */
  hostOwnerId: string | null;
}

/** Who has a listing now, and the owner's id of its last reading. */
export async function findHolder(connection: Connection, listingId: string): Promise<ListingHolder | null> {
  // SQL: joins the creator.
  const [holder] = await connection.query<ListingHolder>(
    `SELECT l.creator_id AS "creatorId", c.account_id AS "accountId", l.registered_by AS "registeredBy", l.verified,
       l.host_owner_id AS "hostOwnerId"
     FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`,
    [listingId],
  );
  return holder ?? null;
}

/** Another account's id, where a creator's listings are owned by others and none by this one; else null. */
export async function findOtherOwner(
  connection: Connection,
  creatorId: string,
  hostAccountId: string,
): Promise<string | null> {
  // SQL: one reading of all its listings.
  const [other] = await connection.query<{ id: string }>(
    `SELECT host_owner_id AS id FROM listing l WHERE creator_id = $1 AND host_owner_id <> $2
       AND NOT EXISTS (SELECT FROM listing o WHERE o.creator_id = $1 AND o.host_owner_id = $2)
     GROUP BY host_owner_id ORDER BY count(*) DESC, 1 LIMIT 1`,
    [creatorId, hostAccountId],
  );
  return other?.id ?? null;
}
