import type { Connection } from '../../database/connect.ts';
import { noteScoreDue } from '../../scoring/note-score-due.ts';
import {
  CREATORS_OF_ACCOUNTS,
  MARK_CREATORS,
  MARK_LISTINGS,
  MARK_LISTINGS_OF,
  PROVED_BY,
} from './verified.sql.ts';

/**
 * Makes the stored marks of these creators and their listings right: a creator is verified with one proof that counts, a
 * listing where its creator has so proved the account that owns the repository. The caller has called lockLineage and
 * locked the subjects.
 */
export async function refreshVerified(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  if (creatorIds.length === 0) return;
  await refreshVerifiedCreators(connection, creatorIds);
  await connection.query(MARK_LISTINGS_OF, [creatorIds]);
}

/** The same for creators alone, where no listing is concerned. */
export async function refreshVerifiedCreators(
  connection: Connection,
  creatorIds: readonly string[],
): Promise<void> {
  await connection.query(MARK_CREATORS, [creatorIds]);
}

/** The same for single listings, after their creator or their name changed. The caller has locked their subjects. */
export async function refreshVerifiedListings(
  connection: Connection,
  listingIds: readonly string[],
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(MARK_LISTINGS, [listingIds]);
}

/** The creators that these accounts have; an account that never listed or proved anything has none. */
export async function creatorsOfAccounts(
  connection: Connection,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(CREATORS_OF_ACCOUNTS, [accountIds]);
  return rows.map(({ id }) => id);
}

/**
 * Notes all that a proof of these creators speaks for: themselves, their listings and what is inside those. Answers
 * their ids, so that they can be scored at once.
 */
export async function markProofDue(connection: Connection, creatorIds: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(PROVED_BY, [creatorIds]);
  const ids = rows.map(({ id }) => id);
  await noteScoreDue(connection, ids);
  return ids;
}
