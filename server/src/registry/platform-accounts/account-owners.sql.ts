/** The first place of each row at which one creator alone is called so. */
export const FIND_OWNERS = `SELECT DISTINCT ON (r.position) r.position, (array_agg(a.subject_id))[1] AS id
  FROM jsonb_to_recordset($1::jsonb) AS r(position int, place int, label text)
  JOIN subject_alias a ON a.label = r.label AND a.subject_type = 'creator' AND a.kind = 'identity'
  GROUP BY r.position, r.place HAVING count(*) = 1 ORDER BY r.position, r.place`;
