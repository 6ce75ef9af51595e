import { updateListingCopies } from '../../catalog/listings/write-listings.ts';
import { REGISTRATION_SOURCE } from '../../catalog/relations/choose-parents.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { HAD_AS_OWNER } from './ownership.queries.ts';

/**
 * Saves a listing's present texts before the owner's texts replace them. Texts that another account registered replace
 * texts that were saved before; texts of an import do not. Later imports update the saved texts of an import. The
 * caller has locked the listing's subject, and moves the listing afterwards.
 */
export async function saveRegistryText(connection: Connection, id: string): Promise<void> {
  await connection.query(
    `INSERT INTO listing_registry_words (listing_id, kind, name, description, category, tags, source, registered_by,
       creator_id, claims_since)
     SELECT subject_id, kind, name, description, category, tags, source, registered_by,
       CASE WHEN registered_by IS NOT NULL THEN creator_id END, ledger_now() FROM listing WHERE subject_id = $1
     ON CONFLICT (listing_id) DO UPDATE SET kind = excluded.kind, name = excluded.name,
       description = excluded.description, category = excluded.category, tags = excluded.tags, source = excluded.source,
       registered_by = excluded.registered_by, creator_id = excluded.creator_id, claims_since = excluded.claims_since
     WHERE excluded.registered_by IS NOT NULL`,
    [id],
  );
}

/** A host account whose proof has ended, with the directory account that had proved it. */
export interface EndedOwner {
  accountId: string;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/** A listing that returns to its state before the proof. */
export interface ReturningListing {
  id: string;
  /**
   * Creator to which the listing returns: the creator of the account that registered the listing before. Null if there
   * is no such creator, or if the listing comes from an import.
   */
  creatorId: string | null;
}

// SQL for the creator of the account that registered the listing before. If that account was deleted: the creator that
// it left behind, unless another account has this creator now.
const FORMER_CREATOR = `coalesce((SELECT c.subject_id FROM creator c WHERE c.account_id = w.registered_by),
  (SELECT root.subject_id FROM creator c JOIN creator root ON root.subject_id = coalesce(c.merged_into, c.subject_id)
   WHERE c.subject_id = w.creator_id AND root.account_id IS NULL))`;

/** Returns the listings of this owner whose texts the directory account has replaced by its own texts. */
export async function findRewrittenListings(
  connection: Connection,
  { accountId, host, handle, hostAccountId }: EndedOwner,
): Promise<ReturningListing[]> {
  return connection.query<ReturningListing>(
    `SELECT l.subject_id AS id, ${FORMER_CREATOR} AS "creatorId"
     FROM listing l JOIN listing_registry_words w ON w.listing_id = l.subject_id
     WHERE l.registered_by = $1 AND l.host = $2 AND ${HAD_AS_OWNER} ORDER BY 1`,
    [accountId, host, handle, hostAccountId],
  );
}

/**
 * Returns listings that another account registered and that the account `accountId` holds through the ended proof. Each
 * comes with the creator of the account that registered it, to which it returns. Leaves out listings that a deleted
 * account registered.
 */
export async function findRegisteredByOthers(
  connection: Connection,
  { accountId, host, handle, hostAccountId }: EndedOwner,
): Promise<ReturningListing[]> {
  // Raw SQL: a join of three tables; the owner is a part of the repository's name.
  return connection.query<ReturningListing>(
    `SELECT l.subject_id AS id, first.subject_id AS "creatorId"
     FROM creator holder JOIN listing l ON l.creator_id = holder.subject_id
     JOIN creator first ON first.account_id = l.registered_by
     WHERE holder.account_id = $1 AND l.registered_by <> $1 AND l.host = $2
     AND ${HAD_AS_OWNER} ORDER BY 1`,
    [accountId, host, handle, hostAccountId],
  );
}

/**
 * Restores the texts that listings had before the owner's registration, and stores the owner's texts in
 * `listing_former_words`. Removes the parents that the owner's registration named. The caller has locked the subjects,
 * and chooses the parents again afterwards.
 */
export async function restoreRegistryText(connection: Connection, ids: readonly string[]): Promise<void> {
  await connection.query(
    `INSERT INTO listing_former_words (listing_id, registered_by, name, description, category, tags)
     SELECT subject_id, registered_by, name, description, category, tags FROM listing
     WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1`,
    [ids],
  );
  await connection.query(
    `UPDATE listing l SET kind = w.kind, name = w.name, description = w.description, category = w.category,
       tags = w.tags, source = w.source, registered_by = w.registered_by, updated_at = ledger_now()
     FROM listing_registry_words w WHERE w.listing_id = l.subject_id AND l.subject_id = ANY ($1::uuid[])`,
    [ids],
  );
  await updateListingCopies(connection, ids);
  await connection.query(
    'UPDATE subject s SET name = l.name FROM listing l WHERE l.subject_id = s.id AND s.id = ANY ($1::uuid[])',
    [ids],
  );
  await connection.query(
    `DELETE FROM relation r USING listing_registry_words w WHERE w.listing_id = r.from_listing_id
     AND w.listing_id = ANY ($1::uuid[]) AND r.source = '${REGISTRATION_SOURCE}' AND r.created_at >= w.claims_since`,
    [ids],
  );
  await connection.query('DELETE FROM listing_registry_words WHERE listing_id = ANY ($1::uuid[])', [ids]);
}
