/**
 * Why it cannot be told whether the repository that its host shows is the one that was listed. `creation_unknown`: the host
 * does not tell when it was created; `handle_passed_on`: its owner's handle was another account's before; `gone`: no
 * repository answered, and none had been read before.
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

/** What is stored of a listing that tells its repository from others. Moments are ISO 8601 UTC. */
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
  /** Every name of the repository that it is stated to be a fork of, in lower case; empty where none is. */
  forkParents: readonly string[];
  /** Ids of the accounts that are known to have had the owner's handle. */
  knownOwnerIds: readonly string[];
}

/** What a host shows of a repository, as far as it tells it from others. */
export interface ShownIdentity {
  hostRepositoryId: string;
  hostOwnerId: string | null;
  createdAt: string | null;
  license: string | null;
  statesLicense: boolean;
  forkOf: string | null;
}

/**
 * Compares a listing with the repository that its host shows. Answers null where it is the repository that was listed: it
 * is older than the listing, has the known id or, where no id is known, contradicts nothing that is stored.
 */
export function judgeIdentity(stored: StoredIdentity, shown: ShownIdentity): IdentityDoubt | null {
  const { hostRepositoryId, identityDoubt } = stored;
  if (hostRepositoryId !== null && hostRepositoryId !== shown.hostRepositoryId) return 'other_repository';
  // A reading, or the operator, has accepted this repository as the listed one before.
  if (hostRepositoryId !== null && stored.hostOwnerId !== null && identityDoubt === null) return null;
  if (shown.createdAt === null) return 'creation_unknown';
  if (Date.parse(shown.createdAt) >= Date.parse(stored.listedAt)) return 'created_later';
  // The host's own id settles the rest, unless it came to be known by a doubtful reading.
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

/** A licence that nobody could name contradicts none. */
function statesOther(stored: string | null, shown: string | null): boolean {
  const known = stored?.toLowerCase() ?? UNNAMED_LICENSE;
  return known !== UNNAMED_LICENSE && known !== shown?.toLowerCase();
}

/** A source that states a day alone is stored as its beginning. */
function isSameMoment(stored: string, shown: string): boolean {
  const [one, other] = [Date.parse(stored), Date.parse(shown)].map((moment) => Math.floor(moment / 1_000));
  if (one === other) return true;
  return (
    /T00:00:00(\.0+)?Z$/.test(stored) && stored.slice(0, 10) === new Date(shown).toISOString().slice(0, 10)
  );
}
