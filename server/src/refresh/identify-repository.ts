/** A listing that has something to do with a reading: the one that was asked about, or another one with its id or name. */
export interface NamedListing {
  readonly id: string;
  readonly repository: string;
  readonly hostRepositoryId: string | null;
}

/** What a reading says about whose repository it is. */
export interface Identified {
  readonly hostRepositoryId: string;
  /** `owner/name`. */
  readonly repository: string;
}

/**
 * `same`: the listing's own repository under its own name. `renamed`: its own under another name; `displaced` had that
 * name and is another repository. `replaced`: another repository has the listing's name now. `duplicate`: its own, but
 * another listing of that repository has the id or the name already. `nameless`: its own, under a name that no listing
 * can have.
 */
export type Identity =
  | { readonly kind: 'same' | 'replaced' | 'duplicate' | 'nameless' }
  | { readonly kind: 'renamed'; readonly displaced: NamedListing | null };

/**
 * Decides whose repository was read. The host's id decides where it is known: another id under the listing's name is
 * another repository, and the same id under another name a rename. Where an id is unknown, the name that was asked tells.
 */
export function identifyRepository(
  listing: NamedListing,
  reading: Identified,
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
  const bearer = others.find((other) => sameName(other, reading)) ?? null;
  // A bearer without an id is, for all that is known, the same repository under its new name.
  if (bearer !== null && bearer.hostRepositoryId === null) return { kind: 'duplicate' };
  return { kind: 'renamed', displaced: bearer };
}

function sameName(one: { repository: string }, other: { repository: string }): boolean {
  return one.repository.toLowerCase() === other.repository.toLowerCase();
}
