/**
 * Returns SQL that tests whether a listing counts for its creator: in a portfolio, for the full flow between agents of
 * one creator, and in the creator graph. It counts if the creator has proved the repository's owner (`verified`), or if
 * a source or the host named the owner and it was not merely registered here. A registered repository of another owner
 * counts for no creator.
 */
export function countsForCreator(listing: string, creator: string): string {
  return `(${listing}.verified OR ${listing}.registered_by IS NULL AND ${isNamedOwner(listing, creator)})`;
}

/**
 * Returns SQL that tests whether trust flows in full from a parent to a child: both count for the same creator, or
 * the parent's proved owner has acknowledged the child. Null without a parent.
 */
export function flowsInFull(child: string, parent: string, creator: string): string {
  const isWithinCreator = `${parent}.creator_id = ${child}.creator_id
    AND ${countsForCreator(child, creator)} AND ${countsForCreator(parent, creator)}`;
  return `CASE WHEN ${parent}.subject_id IS NOT NULL THEN
    ${isWithinCreator} OR ${child}.parent_acknowledged_at IS NOT NULL AND ${parent}.verified END`;
}

// The only condition that assigns a listing to a creator without a proof. A creator whose handle has passed to another
// account is stored as `handle~id`; no host allows that character in a handle.
function isNamedOwner(listing: string, creator: string): string {
  return `(lower(${creator}.host) = lower(${listing}.host)
    AND lower(split_part(${creator}.handle, '~', 1)) = lower(split_part(${listing}.repository, '/', 1)))`;
}
