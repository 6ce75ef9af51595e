/**
 * A listing that the repository read from a host may belong to: the requested one, or another with the repository's id
 * or name.
 */
export interface NamedListing {
  readonly id: string;
  readonly repository: string;
  readonly hostRepositoryId: string | null;
}

/** Identity of the repository that a host returned. */
export interface ReadIdentity {
  readonly hostRepositoryId: string;
  /** Repository in the form `owner/name`. */
  readonly repository: string;
}

/**
 * Result of comparing the repository that a host returned with the requested listing. `same`: the listing's repository,
 * under the listing's name. `renamed`: the listing's repository under a new name; `displaced` is the listing of another
 * repository that had this name until now. `replaced`: another repository, which has taken the listing's name.
 * `duplicate`: the listing's repository, but another listing already has its id, or has its name and no id. `nameless`:
 * the listing's repository, under a name that no listing can have.
 */
export type Identity =
  | { readonly kind: 'same' | 'replaced' | 'duplicate' | 'nameless' }
  | { readonly kind: 'renamed'; readonly displaced: NamedListing | null };

/**
 * Compares the repository that a host returned with the requested listing. If the listing's id on the host is known, a
 * different id is another repository, and the same id under a different name is a rename. If the listing's id is
 * unknown, the repository is assumed to be the listing's own.
 */
export function identifyRepository(
  listing: NamedListing,
  reading: ReadIdentity,
  others: readonly NamedListing[],
  isListable: boolean,
): Identity {
  const { hostRepositoryId } = reading;
  if (listing.hostRepositoryId !== null && listing.hostRepositoryId !== hostRepositoryId) {
    return { kind: 'replaced' };
  }
  if (!isListable) return { kind: 'nameless' };
  if (others.some((other) => other.hostRepositoryId === hostRepositoryId)) return { kind: 'duplicate' };
  if (sameName(listing, reading)) return { kind: 'same' };
  const named = others.find((other) => sameName(other, reading)) ?? null;
  // A listing with that name but without an id is presumably the same repository under its new name.
  if (named !== null && named.hostRepositoryId === null) return { kind: 'duplicate' };
  return { kind: 'renamed', displaced: named };
}

function sameName(one: { repository: string }, other: { repository: string }): boolean {
  return one.repository.toLowerCase() === other.repository.toLowerCase();
}
