// A stored listing beside the row `r`.
const COLUMNS = (table: string) => `json_build_object('id', ${table}.subject_id, 'type', ${table}.type,
  'host', ${table}.host, 'repository', ${table}.repository, 'hostRepositoryId', ${table}.host_repository_id,
  'creatorId', ${table}.creator_id, 'creatorKey',
  (SELECT c.host || ':' || lower(c.handle) FROM creator c WHERE c.subject_id = ${table}.creator_id), 'npmPackage', ${table}.npm_package, 'pypiPackage', ${table}.pypi_package)`;

/** A whole batch is matched, by the host’s id and by name, in one reading. */
export const MATCH = `
SELECT CASE WHEN i.subject_id IS NOT NULL THEN ${COLUMNS('i')} END AS "byId",
  CASE WHEN n.subject_id IS NOT NULL THEN ${COLUMNS('n')} END AS "byName"
FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, repository text, host_repository_id text)
LEFT JOIN listing i ON i.host = r.host AND i.host_repository_id = r.host_repository_id
LEFT JOIN listing n ON lower(n.host) = lower(r.host) AND lower(n.repository) = lower(r.repository)
ORDER BY r.position`;

/** What was stored last of these listings, where a row says anything else. Whole rows travel only where one is stored. */
export const COMPARE = `
SELECT r.position, CASE WHEN l.imported IS DISTINCT FROM r.imported THEN l.imported END AS imported,
  l.imported IS NOT DISTINCT FROM r.imported AS unchanged
FROM jsonb_to_recordset($1::jsonb) AS r(position int, id uuid, imported jsonb) JOIN listing l ON l.subject_id = r.id`;
