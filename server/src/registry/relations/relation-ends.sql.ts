/** What listing rows said of themselves: neither imported as a relation nor claimed here. */
export const WITHDRAW_STATEMENTS = `DELETE FROM relation WHERE from_listing_id = ANY ($1::uuid[]) AND imported IS NULL AND source <> $2`;

/** A batch of such statements; one that is there already stays as it is. */
export const INSERT_STATEMENTS = `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
  SELECT type, own, other, own_id, other_id, true, stated, source
  FROM unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::boolean[])
    AS s(type, own, other, own_id, other_id, source, stated) ON CONFLICT DO NOTHING`;

/** Gives the relations that name a repository at this end its listing: of many names in one statement. */
export const linkEnds = (end: 'from' | 'to') =>
  `UPDATE relation r SET ${end}_listing_id = n.id FROM unnest($1::text[], $2::uuid[]) AS n(name, id)
   WHERE r.${end}_listing_id IS NULL AND lower(r.${end}_repository) = n.name RETURNING r.from_listing_id AS child`;
