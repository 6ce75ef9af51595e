/** A listing that a reading may be about: the requested one, or another with the id or name of the repository. */
export interface NamedListing {
  readonly id: string;
  readonly repository: string;
  readonly hostRepositoryId: string | null;
}

/** Identity of the repository in a reading. */
export interface ReadIdentity {
  readonly hostRepositoryId: string;
  /** Repository in the form `owner/name`. */
  readonly repository: string;
}

/**
 * Result of comparing a reading with the requested listing. `same`: it is the listing's repository, under the
 * listing's name. `renamed`: it is the listing's repository under a new name; `displaced` is the listing of another
 * repository that had this name until now. `replaced`: another repository has taken the listing's name. `duplicate`:
 * it is the listing's repository, but another listing already has its id or name. `nameless`: it is the listing's
 * repository, under a name that no listing can have.
 */
export type Identity =
  | { readonly kind: 'same' | 'replaced' | 'duplicate' | 'nameless' }
  | { readonly kind: 'renamed'; readonly displaced: NamedListing | null };

/**
 * Determines the identity of the repository that was read. A known host id decides: a different id under the
 * listing's name is another repository, and the same id under a different name is a rename. Without a known id, the
 * requested name decides.
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
