/**
 * SQL that is true where a listing's `owner/repo`, without its host, is its own: no host asked earlier has it too.
 * `listing` is a table alias, `hosts` SQL of `naming.hosts`, such as `($1::text[])`.
 */
export function holdsBareRepository(listing: string, hosts: string): string {
  return `(${listing}.host = ${hosts}[1] OR NOT EXISTS (SELECT FROM listing earlier
    WHERE lower(earlier.host) = ANY (${hosts}[1:coalesce(array_position(${hosts}, lower(${listing}.host)), 1) - 1])
    AND lower(earlier.repository) = lower(${listing}.repository)))`;
}

/**
 * SQL that is true where a creator's handle, without its host, is its own. A handle of this directory comes after those
 * of every host; those of hosts outside of `hosts` are known by their bare label.
 */
export function holdsBareHandle(creator: string, hosts: string): string {
  return `(${creator}.host = ${hosts}[1] OR NOT EXISTS (SELECT FROM creator earlier
    WHERE earlier.host = ANY (${hosts}[1:coalesce(array_position(${hosts}, ${creator}.host), cardinality(${hosts}) + 1) - 1])
    AND lower(earlier.handle) = lower(${creator}.handle)
    AND earlier.merged_into IS DISTINCT FROM ${creator}.subject_id)
    AND (${creator}.host = ANY (${hosts}) OR NOT EXISTS (SELECT FROM subject_alias bare
    WHERE bare.label = '@' || lower(${creator}.handle) AND bare.subject_type = 'creator'
    AND bare.subject_id <> ${creator}.subject_id)))`;
}

/** SQL of the handle that leads to this creator: bare where it is its own, `host:handle` elsewhere. */
export function publicHandle(creator: string, hosts: string): string {
  return `CASE WHEN ${holdsBareHandle(creator, hosts)} THEN ${creator}.handle ELSE ${creator}.host || ':' || ${creator}.handle END`;
}
