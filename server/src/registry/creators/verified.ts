import type { Connection } from '../../database/connect.ts';
import { markDue } from '../../scoring/score-due.repository.ts';

const HAS_PROOF = 'EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id)';

// The owner is the first segment of the repository's name on its host. Of a listing that lost its name to another
// repository, and is listed as `owner/name~<id>`, nobody knows the owner.
const OWNER_PROVED = `EXISTS (SELECT FROM creator c JOIN proved_account p ON p.account_id = c.account_id
  WHERE c.subject_id = l.creator_id AND p.kind = 'repo_host' AND p.host = lower(l.host)
  AND lower(p.handle) = lower(split_part(l.repository, '/', 1)) AND strpos(split_part(l.repository, '/', 2), '~') = 0)`;

/**
 * Makes the stored marks of these creators and their listings right: a creator is verified with one proof that counts, a
 * listing where its creator has so proved the account that owns the repository. The caller has called lockLineage and
 * locked the subjects.
 */
export async function refreshVerified(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  if (creatorIds.length === 0) return;
  await refreshVerifiedCreators(connection, creatorIds);
  await connection.query(
    `UPDATE listing l SET verified = NOT verified, updated_at = ledger_now()
     WHERE l.creator_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}`,
    [creatorIds],
  );
}

/** The same for creators alone, where no listing is concerned. */
export async function refreshVerifiedCreators(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<void> {
  await connection.query(
    `UPDATE creator c SET verified = NOT verified, updated_at = ledger_now()
     WHERE c.subject_id = ANY ($1::uuid[]) AND c.verified <> ${HAS_PROOF}`,
    [creatorIds],
  );
}

/** The same for single listings, after their creator or their name changed. The caller has locked their subjects. */
export async function refreshVerifiedListings(
  connection: Connection,
  listingIds: readonly string[],
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(
    `UPDATE listing l SET verified = NOT verified
     WHERE l.subject_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}`,
    [listingIds],
  );
}

/** The creators that these accounts have; an account that never listed or proved anything has none. */
export async function creatorsOfAccounts(
  connection: Connection,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM creator WHERE account_id = ANY ($1::uuid[]) ORDER BY 1',
    [accountIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Notes all that a proof of these creators speaks for: themselves, their listings and what is inside those. Answers
 * their ids, so that they can be scored at once.
 */
export async function markProofDue(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM creator WHERE subject_id = ANY ($1::uuid[]) AND merged_into IS NULL
     UNION SELECT subject_id FROM listing WHERE creator_id = ANY ($1::uuid[])
     UNION SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
       WHERE l.creator_id = ANY ($1::uuid[])
     ORDER BY 1`,
    [creatorIds],
  );
  const ids = rows.map(({ id }) => id);
  await markDue(connection, ids, true);
  return ids;
}
