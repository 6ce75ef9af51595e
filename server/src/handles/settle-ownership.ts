import type { Connection } from '../database/connect.ts';
import type { RepositoryReading } from '../hosts/repository-reading.ts';
import {
  type IdentityDoubt,
  judgeIdentity,
  type StoredIdentity,
} from '../registry/listings/judge-identity.ts';
import { loadIdentities, noteGone, saveIdentity } from '../registry/listings/stored-identity.ts';
import { lockSubjects } from '../registry/listings/write-listings.ts';
import { findOwnedListings, type OwnedListing } from './owned-repositories.repository.ts';
import type { RepositoryOutcome, RepositoryOutcomes } from './read-owned-repositories.ts';
import type { ProvedOwner } from './take-over.ts';

/** Why it cannot be told whose a listing is. */
export type WaitReason = IdentityDoubt | 'not_read' | 'owner_unknown';

/**
 * Whose a listing is. `given`: the proved account's by its id. `kept`: it was that at the last reading and could not be read
 * now. `others`: another account's. `waits`: it cannot be told.
 */
export type Ownership =
  | { readonly kind: 'given' | 'kept' }
  | { readonly kind: 'others'; readonly ownerId: string; readonly ownerHandle: string }
  | { readonly kind: 'waits'; readonly reason: WaitReason };

/** A listing that a proof concerns, and whose it is. */
export interface SettledListing extends OwnedListing {
  ownership: Ownership;
}

const UNREAD: RepositoryOutcome = { kind: 'unread' };

/** The id that listings of a proved account are compared with: the host's, or the handle where the host tells no ids. */
export function ownerIdOf({
  handle,
  hostAccountId,
}: {
  handle: string;
  hostAccountId: string | null;
}): string {
  return hostAccountId ?? `handle:${handle.toLowerCase()}`;
}

/**
 * Stores what a host answered about the listed repositories of an account, and decides by it which are the account's. The
 * caller is in a transaction and has called lockLineage.
 */
export async function settleOwnership(
  connection: Connection,
  { accountId, ...owner }: ProvedOwner,
  outcomes: RepositoryOutcomes,
): Promise<SettledListing[]> {
  const ownerId = ownerIdOf(owner);
  const question = { host: owner.host, handles: [owner.handle], hostAccountId: ownerId };
  const found = (await findOwnedListings(connection, question)).map(({ id }) => id);
  await lockSubjects(connection, found);
  const listings = await findOwnedListings(connection, question);
  const stored = new Map((await loadIdentities(connection, found)).map((each) => [each.id, each]));
  const settled: SettledListing[] = [];
  for (const listing of listings) {
    const identity = stored.get(listing.id);
    if (identity === undefined) continue;
    const outcome = outcomes.get(listing.id) ?? UNREAD;
    const ownership = await settle(connection, identity, ownerId, outcome);
    // What was read before goes on counting for the account that has it, and for no other.
    const isLost = ownership.kind === 'kept' && listing.creatorAccountId !== accountId;
    settled.push({ ...listing, ownership: isLost ? waits('not_read') : ownership });
  }
  return settled;
}

async function settle(
  connection: Connection,
  stored: StoredIdentity,
  ownerId: string,
  outcome: RepositoryOutcome,
): Promise<Ownership> {
  const isKnown = stored.hostOwnerId === ownerId && stored.identityDoubt === null;
  if (outcome.kind === 'unread')
    return isKnown ? { kind: 'kept' } : waits(stored.identityDoubt ?? 'not_read');
  if (outcome.kind === 'gone') {
    await noteGone(connection, stored.id);
    return isKnown ? { kind: 'kept' } : waits(stored.identityDoubt ?? 'gone');
  }
  const { reading } = outcome;
  const { hostOwnerId, repository } = reading;
  const doubt = await saveReading(connection, stored, reading);
  if (doubt !== null) return waits(doubt);
  if (hostOwnerId === null) return waits('owner_unknown');
  if (hostOwnerId === ownerId) return { kind: 'given' };
  return { kind: 'others', ownerId: hostOwnerId, ownerHandle: repository.slice(0, repository.indexOf('/')) };
}

/** Stores whose repository a listing is by a reading of it. The caller has locked its subject. */
export async function settleIdentity(
  connection: Connection,
  id: string,
  reading: RepositoryReading,
): Promise<void> {
  const [stored] = await loadIdentities(connection, [id]);
  if (stored !== undefined) await saveReading(connection, stored, reading);
}

async function saveReading(
  connection: Connection,
  stored: StoredIdentity,
  reading: RepositoryReading,
): Promise<IdentityDoubt | null> {
  const doubt = judgeIdentity(stored, reading);
  const { hostRepositoryId, hostOwnerId } = reading;
  await saveIdentity(connection, { id: stored.id, hostRepositoryId, hostOwnerId, doubt });
  return doubt;
}

function waits(reason: WaitReason): Ownership {
  return { kind: 'waits', reason };
}
