// The unique index of the table, word for word.
const SAME_STATEMENT = `t.type = r.type AND lower(t.from_repository) = lower(r.from_repository)
  AND coalesce(t.from_path, '') = coalesce(r.from_path, '') AND lower(t.to_repository) = lower(r.to_repository)
  AND coalesce(t.to_path, '') = coalesce(r.to_path, '') AND t.source = r.source`;

/** A whole batch beside what is stored of it, in one reading. */
export const FIND_STORED = `SELECT t.id, coalesce(t.imported = r.imported, false) AS unchanged, t.imported IS NOT NULL AS "wasImported"
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, type text, from_repository text, from_path text,
    to_repository text, to_path text, source text, imported jsonb)
  LEFT JOIN relation t ON ${SAME_STATEMENT} ORDER BY r.position`;

/** An end that was found once stays: a later owner of the name is not whom the statement was about. */
export const UPSERT = `
INSERT INTO relation AS t (type, from_repository, from_path, to_repository, to_path, from_listing_id, to_listing_id,
  directed, stated, resolution, evidence, source, imported)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(type text, from_repository text, from_path text, to_repository text,
  to_path text, from_listing_id uuid, to_listing_id uuid, directed boolean, stated boolean, resolution text,
  evidence text, source text, imported jsonb)
ON CONFLICT (type, lower(from_repository), coalesce(from_path, ''), lower(to_repository), coalesce(to_path, ''), source)
DO UPDATE SET from_listing_id = coalesce(t.from_listing_id, excluded.from_listing_id),
  to_listing_id = coalesce(t.to_listing_id, excluded.to_listing_id), directed = excluded.directed,
  stated = excluded.stated, resolution = excluded.resolution, evidence = excluded.evidence, imported = excluded.imported`;
