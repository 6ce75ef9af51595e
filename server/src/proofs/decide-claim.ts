import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { endClaims } from '../handles/listing-claims.ts';
import { lockCreators } from '../handles/lock-creators.ts';
import { readRepository } from '../handles/read-owned-repositories.ts';
import { ownerIdOf, settleOwnership } from '../handles/settle-ownership.ts';
import { takeOver } from '../handles/take-over.ts';
import { readsRepositories } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { RepositoryReading } from '../hosts/repository-reading.ts';
import { acceptIdentity } from '../registry/listings/stored-identity.ts';
import { lockSubjects } from '../registry/listings/write-listings.ts';
import { lockLineage } from '../registry/relations/lineage-edges.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { findOpenClaim, type ListingClaim } from './claims.repository.ts';
import { refreshMarks } from './prove-account.ts';

/** What an operator decides about a claim. */
export interface ClaimDecision {
  id: string;
  decision: 'give' | 'refuse';
}

/**
 * Decides an open claim on the operator's word. Given, the listing stands from now on for the repository that has its name, and
 * is the claimant's; a host that can be read must confirm that the claimant's account owns it. Refused, the same account
 * elsewhere cannot claim it again for this account. Throws not_found, invalid_request, unavailable.
 */
export async function decideClaim(
  database: Database,
  { hosts, backend }: { hosts: Hosts; backend: ScoringBackend },
  { id, decision }: ClaimDecision,
): Promise<ListingClaim> {
  const claim = await requireClaim(database, id);
  const reading = decision === 'give' ? await readClaimed(hosts, claim) : null;
  const decide = async (connection: Connection) => {
    await lockLineage(connection);
    const open = await requireClaim(connection, id);
    if (decision === 'give') return give(connection, open, reading);
    await endClaims(connection, open.accountId, [open.listingId], {
      decision: 'refused',
      decidedBy: 'operator',
    });
    return [];
  };
  const due = await retryConflicts(() => inTransaction(database, decide));
  await scoreNow(database, backend, due);
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

/** Reads the repository that has the listing's name now; null where the host cannot be read. */
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
      'The proof that the claim rests on counts no more. Refuse the claim.',
    );
  await lockSubjects(connection, [listingId]);
  const hostRepositoryId = reading?.hostRepositoryId ?? null;
  await acceptIdentity(connection, { id: listingId, hostRepositoryId, hostOwnerId: ownerIdOf(claim) });
  const listings = await settleOwnership(connection, claim, new Map());
  const given = listings.map((listing) =>
    listing.id === listingId ? { ...listing, ownership: { kind: 'given' } as const } : listing,
  );
  await lockCreators(connection, [...new Set(given.map(({ creatorId }) => creatorId))]);
  const creators = await takeOver(connection, claim, given);
  await endClaims(connection, accountId, [listingId], { decision: 'given', decidedBy: 'operator' });
  return refreshMarks(connection, [...new Set([...creators, ...given.map(({ creatorId }) => creatorId)])]);
}
