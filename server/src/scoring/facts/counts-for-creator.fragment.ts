/**
 * Returns SQL that tests whether a listing counts for its creator; the parameters are table aliases. A listing counts
 * if the creator has proved the account that owns the repository (`verified`). It also counts if the creator's handle
 * is the owner in the repository's name and no account of this directory has registered the listing. Only listings that
 * count are part of the creator's portfolio and of the creator graph.
 */
export function countsForCreator(listing: string, creator: string): string {
  return `(${listing}.verified OR ${listing}.registered_by IS NULL AND ${isNamedOwner(listing, creator)})`;
}

/**
 * Returns SQL that tests whether a parent passes on its trust in full to a child. The test is true if both count for
 * the same creator, or if the parent's proved owner has acknowledged the child. The SQL yields null for a child without
 * a parent.
 */
export function flowsInFull(child: string, parent: string, creator: string): string {
  const isWithinCreator = `${parent}.creator_id = ${child}.creator_id
    AND ${countsForCreator(child, creator)} AND ${countsForCreator(parent, creator)}`;
  return `CASE WHEN ${parent}.subject_id IS NOT NULL THEN
    ${isWithinCreator} OR ${child}.parent_acknowledged_at IS NOT NULL AND ${parent}.verified END`;
}

// This is the only condition by which a listing counts for a creator without a proof. A creator whose handle now
// belongs to another account on the host is stored as `handle~id`, so the part from `~` on is ignored. No host allows
// `~` in a handle.
function isNamedOwner(listing: string, creator: string): string {
  return `(lower(${creator}.host) = lower(${listing}.host)
    AND lower(split_part(${creator}.handle, '~', 1)) = lower(split_part(${listing}.repository, '/', 1)))`;
}
