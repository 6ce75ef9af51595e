/**
 * Tests whether listing `l` counts for its creator `c`: in a portfolio, for the full flow between agents of one creator,
 * and in the creator graph. It counts where the creator has proved the repository's owner (`verified`), or where a source
 * or the host named the owner and nobody here only registered it. A registered repository of another owner counts for
 * nobody.
 */
export function countsForCreator(listing: string, creator: string): string {
  return `(${listing}.verified OR ${listing}.registered_by IS NULL AND ${isNamedOwner(listing, creator)})`;
}

/**
 * Tests whether trust flows in full from parent `p` to child `l`, whose creator is `c`: both count for the same creator, or
 * the parent's proved owner has acknowledged the child. Null without a parent.
 */
export function flowsInFull(child: string, parent: string, creator: string): string {
  const isWithinCreator = `${parent}.creator_id = ${child}.creator_id
    AND ${countsForCreator(child, creator)} AND ${countsForCreator(parent, creator)}`;
  return `CASE WHEN ${parent}.subject_id IS NOT NULL THEN
    ${isWithinCreator} OR ${child}.parent_acknowledged_at IS NOT NULL AND ${parent}.verified END`;
}

// The only place that tells whose a listed repository is without a proof. A creator whose handle has passed to another
// account keeps it as `handle~id`; no host allows that character in a handle.
function isNamedOwner(listing: string, creator: string): string {
  return `(lower(${creator}.host) = lower(${listing}.host)
    AND lower(split_part(${creator}.handle, '~', 1)) = lower(split_part(${listing}.repository, '/', 1)))`;
}
