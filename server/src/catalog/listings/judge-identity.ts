/**
 * Reason to doubt that the repository on the host is the one that was listed. `creation_unknown`: the host shows no
 * creation date. `handle_passed_on`: another account had the owner's handle before. `gone`: the host shows no
 * repository, and none was ever read.
 */
export type IdentityDoubt =
  | 'other_repository'
  | 'created_later'
  | 'creation_unknown'
  | 'creation_differs'
  | 'license_differs'
  | 'fork_differs'
  | 'handle_passed_on'
  | 'gone';

/** Stored facts that identify a listing's repository. Dates are ISO 8601 UTC. */
export interface StoredIdentity {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  hostOwnerId: string | null;
  identityDoubt: IdentityDoubt | null;
  repositoryCreatedAt: string | null;
  license: string | null;
  listedAt: string;
  /** Lower-case names of the repositories that sources state as the origin of this fork; empty if it is not a fork. */
  forkParents: readonly string[];
  /** Ids of the host accounts that are known to have, or to have had, the handle of the repository's owner. */
  knownOwnerIds: readonly string[];
}

/** Facts from the host that identify a repository. */
export interface ShownIdentity {
  hostRepositoryId: string;
  hostOwnerId: string | null;
  createdAt: string | null;
  license: string | null;
  /** False for hosts that never state a licence. */
  statesLicense: boolean;
  forkOf: string | null;
}

/**
 * Compares a listing with the repository that the host shows. Returns null if this is the listed repository, otherwise
 * the reason for doubt. A repository that has the stored id and was accepted before is the listed one. Any other
 * repository counts as the listed one only if it is older than the listing and meets one of these conditions:
 * - The repository has the stored id, and no doubt other than `gone` is stored.
 * - No id is stored, and the repository contradicts no stored fact.
 */
export function judgeIdentity(stored: StoredIdentity, shown: ShownIdentity): IdentityDoubt | null {
  const { hostRepositoryId, identityDoubt } = stored;
  if (hostRepositoryId !== null && hostRepositoryId !== shown.hostRepositoryId) return 'other_repository';
  // This repository was accepted before, when it was read or by the operator.
  if (hostRepositoryId !== null && stored.hostOwnerId !== null && identityDoubt === null) return null;
  if (shown.createdAt === null) return 'creation_unknown';
  if (Date.parse(shown.createdAt) >= Date.parse(stored.listedAt)) return 'created_later';
  // Without a stored id, the other stored facts decide. With one, the equal ids decide, unless a doubt is stored.
  if (hostRepositoryId === null) return contradiction(stored, shown);
  return identityDoubt === 'gone' ? null : identityDoubt;
}

function contradiction(stored: StoredIdentity, shown: ShownIdentity): IdentityDoubt | null {
  const { repositoryCreatedAt, forkParents, knownOwnerIds } = stored;
  if (repositoryCreatedAt !== null && !isSameMoment(repositoryCreatedAt, shown.createdAt ?? ''))
    return 'creation_differs';
  if (shown.statesLicense && statesOther(stored.license, shown.license)) return 'license_differs';
  if (forkParents.length > 0 && !forkParents.includes(shown.forkOf?.toLowerCase() ?? ''))
    return 'fork_differs';
  if (knownOwnerIds.some((id) => id !== shown.hostOwnerId)) return 'handle_passed_on';
  return null;
}

const UNNAMED_LICENSE = 'noassertion';

/** Returns true if the stored licence contradicts the shown one. An unknown stored licence contradicts none. */
function statesOther(stored: string | null, shown: string | null): boolean {
  const known = stored?.toLowerCase() ?? UNNAMED_LICENSE;
  return known !== UNNAMED_LICENSE && known !== shown?.toLowerCase();
}

/**
 * Returns true if both times are equal to the second, or if the stored one is midnight of the same day, because some
 * sources state only the day.
 */
function isSameMoment(stored: string, shown: string): boolean {
  const [one, other] = [Date.parse(stored), Date.parse(shown)].map((moment) => Math.floor(moment / 1_000));
  if (one === other) return true;
  return (
    /T00:00:00(\.0+)?Z$/.test(stored) && stored.slice(0, 10) === new Date(shown).toISOString().slice(0, 10)
  );
}

/** Loads and stores the facts that identify a listing's repository. */
export { acceptIdentity, loadIdentities, markGone, saveIdentity } from './judge-identity.queries.ts';
