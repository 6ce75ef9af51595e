/**
 * Returns SQL that tests whether a listing counts for its creator: in the portfolio, for the full flow between agents
 * of one creator, and in the creator graph. It counts if the creator has proved the repository's owner (`verified`).
 * It also counts if the creator's handle is the owner in the repository's name and no account has registered the
 * listing.
 */
export function countsForCreator(listing: string, creator: string): string {
  return `(${listing}.verified OR ${listing}.registered_by IS NULL AND ${isNamedOwner(listing, creator)})`;
}

/**
 * Returns SQL that tests whether trust flows in full from a parent to a child. It does if both count for the same
 * creator, or the parent's proved owner has acknowledged the child. Null without a parent.
 */
export function flowsInFull(child: string, parent: string, creator: string): string {
  const isWithinCreator = `${parent}.creator_id = ${child}.creator_id
    AND ${countsForCreator(child, creator)} AND ${countsForCreator(parent, creator)}`;
  return `CASE WHEN ${parent}.subject_id IS NOT NULL THEN
    ${isWithinCreator} OR ${child}.parent_acknowledged_at IS NOT NULL AND ${parent}.verified END`;
}

// The only condition that assigns a listing to a creator without a proof. A creator whose handle has passed to another
// account is stored as `handle~id`, because no host allows `~` in a handle.
function isNamedOwner(listing: string, creator: string): string {
  return `(lower(${creator}.host) = lower(${listing}.host)
    AND lower(split_part(${creator}.handle, '~', 1)) = lower(split_part(${listing}.repository, '/', 1)))`;
}
