import type { Connection } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { updateListingCopies } from '../listings/write-listings.ts';
import { creatorKey } from '../registry-keys.ts';
import { lockMoreKeys } from '../registry-locks.ts';

// True if the customer account of creator `c` has a valid proof.
const HAS_PROOF = 'EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id)';

// SQL that is true if the creator's customer account has proved the owner of listing `l`: the id of the proved host
// account equals the owner's id, as last read from the host. If the host has no ids, an operator has confirmed the
// account by its handle. A flag that an earlier release set by comparing names stays until the repository is first
// read; no new flag is set in this way. A displaced listing, whose name another repository has taken, is called
// `owner/name~<id>` and has no known owner.
const OWNER_PROVED = `EXISTS (SELECT FROM creator c JOIN proved_account p ON p.account_id = c.account_id
  WHERE c.subject_id = l.creator_id AND p.kind = 'repo_host' AND p.host = lower(l.host) AND l.identity_doubt IS NULL
  AND (l.host_owner_id = coalesce(p.host_account_id, 'handle:' || lower(p.handle))
    OR (l.host_owner_id IS NULL AND l.verified AND lower(p.handle) = lower(split_part(l.repository, '/', 1))
      AND strpos(split_part(l.repository, '/', 2), '~') = 0)))`;

/** Updates the verified flag of creators' listings in one statement, but only where the flag is wrong. */
const UPDATE_LISTING_FLAGS_OF = `UPDATE listing l SET verified = NOT verified, updated_at = ledger_now()
  WHERE l.creator_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}
  RETURNING l.subject_id AS id`;

/** Updates the verified flag of creators, but only where the flag is wrong. */
const UPDATE_CREATOR_FLAGS = `UPDATE creator c SET verified = NOT verified, updated_at = ledger_now()
  WHERE c.subject_id = ANY ($1::uuid[]) AND c.verified <> ${HAS_PROOF}`;

/** Updates the verified flag of single listings, but only where the flag is wrong. */
const UPDATE_LISTING_FLAGS = `UPDATE listing l SET verified = NOT verified
  WHERE l.subject_id = ANY ($1::uuid[]) AND l.verified <> ${OWNER_PROVED}
  RETURNING l.subject_id AS id`;

/**
 * Selects the creators of customer accounts. Ids are one array parameter, so that one prepared statement serves all.
 */
const CREATORS_OF_ACCOUNTS =
  'SELECT subject_id AS id FROM creator WHERE account_id = ANY ($1::uuid[]) ORDER BY 1';

/**
 * Selects in one statement: creators that are not merged, their listings, the artifacts inside these, and the platform
 * accounts that are linked to the creators' customer accounts.
 */
const PROVED_BY = `SELECT subject_id AS id FROM creator WHERE subject_id = ANY ($1::uuid[]) AND merged_into IS NULL
  UNION SELECT subject_id FROM listing WHERE creator_id = ANY ($1::uuid[])
  UNION SELECT a.subject_id FROM artifact a JOIN listing l ON l.subject_id = a.listing_id
    WHERE l.creator_id = ANY ($1::uuid[])
  UNION SELECT k.subject_id FROM linked_account k JOIN creator c ON c.account_id = k.account_id
    WHERE c.subject_id = ANY ($1::uuid[]) AND k.subject_id IS NOT NULL
  ORDER BY 1`;

/**
 * Corrects the verified flags of these creators and their listings. A creator is verified if its customer account has a
 * valid proof. A listing is verified if that account has proved the owner of the repository. The caller has called
 * lockRegistry or lockKeys and locked the subjects.
 */
export async function refreshVerified(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  if (creatorIds.length === 0) return;
  await lockMoreKeys(connection, creatorIds.map(creatorKey));
  await refreshVerifiedCreators(connection, creatorIds);
  await updateListingFlags(connection, UPDATE_LISTING_FLAGS_OF, creatorIds);
}

/** Corrects the verified flags of creators, but not those of their listings. */
export async function refreshVerifiedCreators(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<void> {
  await connection.query(UPDATE_CREATOR_FLAGS, [creatorIds]);
}

/** Corrects the verified flags of listings whose creator or name changed. The caller has locked their subjects. */
export async function refreshVerifiedListings(
  connection: Connection,
  listingIds: readonly string[],
): Promise<void> {
  if (listingIds.length === 0) return;
  await updateListingFlags(connection, UPDATE_LISTING_FLAGS, listingIds);
}

async function updateListingFlags(
  connection: Connection,
  statement: string,
  ids: readonly string[],
): Promise<void> {
  const changed = await connection.query<{ id: string }>(statement, [ids]);
  await updateListingCopies(
    connection,
    changed.map(({ id }) => id),
  );
}

/** Returns the creators of these customer accounts. An account that never listed or proved anything has none. */
export async function creatorsOfAccounts(
  connection: Connection,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(CREATORS_OF_ACCOUNTS, [accountIds]);
  return rows.map(({ id }) => id);
}

/**
 * Queues all subjects whose score depends on proofs of these creators: the creators, their listings, the artifacts
 * inside, and linked platform accounts. Returns their ids, so that callers can score them immediately.
 */
export async function markProofDue(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(PROVED_BY, [creatorIds]);
  const ids = rows.map(({ id }) => id);
  await enqueueScoring(connection, ids);
  return ids;
}

/**
 * Returns SQL for the remaining validity of a proof in milliseconds: 60 days from its last successful check, as in the
 * view proved_account.
 */
export function remainingProofMs(checkedAt: string): string {
  return `(extract(epoch FROM ${checkedAt} + interval '60 days' - ledger_now()) * 1000)::float8`;
}
