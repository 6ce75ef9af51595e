import { acceptIdentity } from '../../catalog/listings/judge-identity.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import { listingKey, proofKeys } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../../catalog/registry-locks.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { readsRepositories } from '../../hosts/lookup/host-repository.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { scoreInline } from '../../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../../scoring/scoring-backend.ts';
import { claimHandle } from '../handles/claim-handle.ts';
import { determineOwnership, ownerIdOf } from '../handles/determine-ownership.ts';
import { lockCreators } from '../handles/follow-host.ts';
import { endClaims, findOpenClaim, type ListingClaim } from '../handles/listing-claims.queries.ts';
import { readRepository } from '../handles/read-owned-repositories.ts';
import { updateVerifiedFlags } from './prove-account.ts';

/** Queries of open claims, re-exported for the commands and pages of other modules. */
export { findClaimsOf, findOpenClaims } from '../handles/listing-claims.queries.ts';

/** An operator's decision on a claim. */
export interface ClaimDecision {
  id: string;
  decision: 'give' | 'refuse';
}

/**
 * Applies the operator's decision on an open claim, and returns the claim as it was before.
 * - `give`: the listing then refers to the repository that now has its name, and belongs to the claimant. A host that
 *   can be read must confirm that the claimant's host account owns the repository.
 * - `refuse`: the account cannot open another claim to the listing with the same host account.
 * Throws not_found, invalid_request, unavailable.
 */
export async function decideClaim(
  database: Database,
  { hosts, backend }: { hosts: Hosts; backend: ScoringBackend },
  { id, decision }: ClaimDecision,
): Promise<ListingClaim> {
  const claim = await requireClaim(database, id);
  const reading = decision === 'give' ? await readClaimed(hosts, claim) : null;
  const decide = async (connection: Connection) => {
    await lockKeys(connection, [listingKey(claim.listingId), ...proofKeys(claim)]);
    const open = await requireClaim(connection, id);
    if (decision === 'give') return give(connection, open, reading);
    await endClaims(connection, open.accountId, [open.listingId], {
      decision: 'refused',
      decidedBy: 'operator',
    });
    return [];
  };
  const due = await inRegistryTransaction(database, decide);
  await scoreInline(database, backend, due);
  return claim;
}

async function requireClaim(connection: Connection, id: string): Promise<ListingClaim> {
  const claim = await findOpenClaim(connection, id);
  if (claim !== null) return claim;
  throw new DomainError(
    'not_found',
    `No open claim has the id ${id}. "claims list" shows those that are open.`,
  );
}

/** Reads the repository that now has the listing's name; null if repositories of this host cannot be read. */
async function readClaimed(hosts: Hosts, claim: ListingClaim): Promise<RepositoryReading | null> {
  const { host, repository, listingId, hostAccountId } = claim;
  if (!readsRepositories(hosts, host)) return null;
  const outcome = await readRepository(hosts, { id: listingId, host, repository, hostRepositoryId: null });
  if (outcome.kind === 'unread')
    throw new DomainError('unavailable', `${host} cannot be read at present. Try again later.`);
  if (outcome.kind === 'read' && outcome.reading.hostOwnerId === hostAccountId) return outcome.reading;
  throw new DomainError(
    'invalid_request',
    `${host} does not show ${repository} as owned by the account that was proved. Refuse the claim, or wait until it does.`,
  );
}

async function give(
  connection: Connection,
  claim: ListingClaim,
  reading: RepositoryReading | null,
): Promise<string[]> {
  const { listingId, accountId, isProved } = claim;
  if (!isProved)
    throw new DomainError(
      'invalid_request',
      'The proof behind the claim is no longer valid. Refuse the claim.',
    );
  await lockSubjects(connection, [listingId]);
  const hostRepositoryId = reading?.hostRepositoryId ?? null;
  await acceptIdentity(connection, { id: listingId, hostRepositoryId, hostOwnerId: ownerIdOf(claim) });
  const listings = await determineOwnership(connection, claim, new Map());
  const given = listings.map((listing) =>
    listing.id === listingId ? { ...listing, ownership: { kind: 'given' } as const } : listing,
  );
  await lockCreators(connection, [...new Set(given.map(({ creatorId }) => creatorId))]);
  const creators = await claimHandle(connection, claim, given);
  await endClaims(connection, accountId, [listingId], { decision: 'given', decidedBy: 'operator' });
  return updateVerifiedFlags(connection, [
    ...new Set([...creators, ...given.map(({ creatorId }) => creatorId)]),
  ]);
}
