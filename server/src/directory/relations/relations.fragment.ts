/** Maximum other repositories shown of each kind and direction, on the first page. */
export const SHOWN_OTHERS = 5;

/** SQL columns that request the first page of each kind and direction, for the row of a requested listing or file. */
export const FIRST_PAGE = `NULL::text AS kind, NULL::text AS direction, ${SHOWN_OTHERS} AS most, 0 AS skip`;

/** Maximum rows of `relation` read with one listing at their `from` end, and as many at their `to` end. */
export const MAX_READ = 5_000;

/**
 * Selects the rows of `relation` whose `own` end is the requested listing, with the repository at the other end. Each
 * row is what one source says about a relation. An undirected relation has the direction `both`, whichever end is the
 * listing.
 */
export const selectRelationRows = (own: 'from' | 'to', where: string, asked = 'asked') => {
  const other = own === 'from' ? 'to' : 'from';
  return `(SELECT CASE WHEN NOT r.directed THEN 'both' ELSE '${own === 'from' ? 'out' : 'in'}' END AS direction, r.type AS kind,
    r.stated, r.${own}_path AS own_path, r.${other}_listing_id AS other_id, r.${other}_repository AS other_name,
    r.${other}_path AS other_path, r.evidence, r.source, r.created_at
  FROM relation r WHERE r.${own}_listing_id = ${asked}.id AND r.${other}_listing_id IS DISTINCT FROM ${asked}.id
    AND (${asked}.kind IS NULL OR r.type = ${asked}.kind) AND ${where} LIMIT ${MAX_READ})`;
};

/**
 * Selects the listing's former names as relations `renamed_to`. If a source stated the rename in `relation`, that row
 * gives the evidence and the source; both of its ends are this listing now. Otherwise the source is null.
 */
const FORMER = `(SELECT 'in', 'renamed_to', true, NULL, NULL::uuid, substr(a.label, length(l.host) + 2), NULL,
    said.evidence, said.source, said.created_at
  FROM subject_alias a JOIN listing l ON l.subject_id = a.subject_id
  LEFT JOIN LATERAL (SELECT r.evidence, r.source, r.created_at FROM relation r
    WHERE r.type = 'renamed_to' AND r.from_listing_id = asked.id AND r.to_listing_id = asked.id
      AND lower(r.from_repository) = substr(a.label, length(l.host) + 2)
    ORDER BY r.evidence IS NULL, r.source LIMIT 1) AS said ON true
  WHERE a.subject_id = asked.id AND a.kind = 'former' AND (asked.kind IS NULL OR asked.kind = 'renamed_to')
    AND starts_with(a.label, lower(l.host) || '/') AND l.host <> '' LIMIT ${MAX_READ})`;

/** SQL expression for the repository at the other end, by which the rows of a relation are grouped. */
export const KEY = 'coalesce(other_id::text, lower(other_name))';

/**
 * Selects a column of the best among several rows about the same relation. Rows that a source states rank before
 * inferred ones, and then rows with evidence before those without.
 */
export const bestOf = (column: string) =>
  `(array_agg(${column} ORDER BY stated DESC, evidence IS NULL, source))[1] AS ${column}`;

/** Columns of the repository at the other end of a relation. A repository that is not listed has only a name. */
export const OTHER_END_COLUMNS = `o.subject_id AS "otherId", o.agent_id AS "agentId", o.type, o.name, coalesce(o.repository, ranked.other_name) AS repository,
  k.trust, k.confidence, k.verdict, k.reasons`;
/** Joins the listing at the other end of each relation in `ranked`, and the listing's score. */
export const OTHER_END_TABLES = `LEFT JOIN listing o ON o.subject_id = ranked.other_id LEFT JOIN listing_rank k ON k.subject_id = o.subject_id`;

/**
 * Selects the relations of listing `id`: for each kind and direction, one page of other repositories. Repositories
 * whose relation concerns the most files come first. At most MAX_READ rows of `relation` are read per end, and only
 * these are counted. `columns` are additional columns, each with a trailing comma. `asked` is a SELECT of the requested
 * listings: `n`, `id` and the page.
 */
const ofListing = (
  asked: string,
  columns: string,
) => `SELECT asked.n, ${columns} ranked.direction, ranked.kind, ranked.of_files AS "ofFiles", ranked.others, ranked.all_files AS "allFiles",
  ranked.files, ranked.path, ranked.evidence, ranked.source, utc_text(ranked.since) AS since, ranked.stated, ${OTHER_END_COLUMNS}
FROM (${asked}) AS asked CROSS JOIN LATERAL (
  WITH statements AS MATERIALIZED (
    ${selectRelationRows('from', 'true')} UNION ALL ${selectRelationRows('to', 'true')} UNION ALL ${FORMER}),
  sums AS (SELECT direction, kind, count(DISTINCT coalesce(own_path, ${KEY} || '#' || other_path)) AS all_files,
      bool_or(own_path IS NOT NULL) AS of_files
    FROM statements GROUP BY 1, 2),
  grouped AS (SELECT direction, kind, other_id, min(other_name) AS other_name, count(DISTINCT coalesce(own_path, other_path)) AS files,
      min(coalesce(own_path, other_path)) AS path, ${bestOf('evidence')}, ${bestOf('source')}, min(created_at) AS since,
      bool_or(stated) AS stated
    FROM statements GROUP BY direction, kind, other_id, ${KEY})
  SELECT grouped.*, sums.all_files, sums.of_files, count(*) OVER every AS others,
    row_number() OVER (every ORDER BY files DESC, grouped.other_id IS NULL, lower(other_name)) AS place
  FROM grouped JOIN sums USING (direction, kind) WINDOW every AS (PARTITION BY direction, kind)) AS ranked
${OTHER_END_TABLES}
WHERE ranked.place > asked.skip AND ranked.place <= asked.skip + asked.most
  AND (asked.direction IS NULL OR ranked.direction = asked.direction)
ORDER BY asked.n, ranked.kind, ranked.direction, ranked.place`;

/** Maximum files of a listing, at each end of the relation, whose first repository is searched. */
const MAX_FILES = 300;
/**
 * Maximum copies of a file that are read. A file is not counted if these copies, and the file that they are related to,
 * are in more than this many repositories with a known creation date.
 */
const MAX_PLACES = 30;

// Type of the relation between identical files. If several files are identical, a source chooses one of them (CTE
// `middles`) and relates each of the others only to this file.
const IDENTICAL_FILE = "'identical_skill_file'";

/** Returns SQL for the alias of the artifact that a file inside a listing defines. */
const fileLabel = (listing: string, path: string) =>
  `lower(${listing}.host || '/' || ${listing}.repository) || '//' || lower(regexp_replace(${path}, '/?skill\\.md$', '', 'i'))`;

/**
 * SQL column about files of the listing `id` of which other repositories have identical copies. `repositories` are up
 * to four repositories that had such files first (by the creation date of the repository), each with the number of
 * these files; a file counts only if the creation dates of two or more of its repositories are known. `skills` is the
 * number of skills inside the listing, and `copiedSkills` how many of these have such a file. Only the first row of a
 * group of identical files has a value, so that the value is computed once.
 */
const FIRST_SEEN = `CASE WHEN ranked.place = 1 AND ranked.kind = ${IDENTICAL_FILE} AND ranked.of_files THEN (SELECT jsonb_build_object(
  'skills', (SELECT count(*) FROM artifact a WHERE a.listing_id = asked.id AND a.kind = 'skill'),
  'copiedSkills', (SELECT count(DISTINCT a.subject_id) FROM (
      (SELECT from_path AS path FROM relation WHERE from_listing_id = asked.id AND from_path IS NOT NULL AND type = ${IDENTICAL_FILE}
        LIMIT ${MAX_FILES})
      UNION (SELECT to_path FROM relation WHERE to_listing_id = asked.id AND to_path IS NOT NULL AND type = ${IDENTICAL_FILE}
        LIMIT ${MAX_FILES})) AS file
    JOIN listing home ON home.subject_id = asked.id
    JOIN subject_alias s ON s.label = ${fileLabel('home', 'file.path')}
    JOIN artifact a ON a.subject_id = s.subject_id AND a.listing_id = asked.id AND a.kind = 'skill'),
  'repositories', coalesce(jsonb_agg(jsonb_build_object('id', o.subject_id, 'type', o.type, 'repository', o.repository,
      'files', oldest.files, 'createdAt', utc_text(o.repository_created_at)) ORDER BY oldest.files DESC, o.subject_id), '[]'))
  FROM (
    WITH middles AS (
      SELECT DISTINCT to_listing_id AS id, to_path AS path FROM (SELECT to_listing_id, to_path FROM relation
        WHERE from_listing_id = asked.id AND from_path IS NOT NULL AND type = ${IDENTICAL_FILE} AND to_listing_id IS NOT NULL
        LIMIT ${MAX_FILES}) AS elsewhere
      UNION SELECT asked.id, to_path FROM (SELECT to_path FROM relation
        WHERE to_listing_id = asked.id AND to_path IS NOT NULL AND type = ${IDENTICAL_FILE} LIMIT ${MAX_FILES}) AS own)
    SELECT seen.id, count(*) AS files FROM middles CROSS JOIN LATERAL (
      SELECT (array_agg(l.subject_id ORDER BY l.repository_created_at, l.subject_id))[1] AS id
      FROM (SELECT middles.id AS id UNION ALL (SELECT r.from_listing_id FROM relation r
          WHERE r.to_listing_id = middles.id AND r.to_path = middles.path AND r.type = ${IDENTICAL_FILE}
            AND r.from_listing_id IS NOT NULL LIMIT ${MAX_PLACES})) AS places
      JOIN listing l ON l.subject_id = places.id WHERE l.repository_created_at IS NOT NULL
      HAVING count(DISTINCT l.subject_id) BETWEEN 2 AND ${MAX_PLACES}) AS seen
    GROUP BY seen.id ORDER BY 2 DESC, 1 LIMIT 4) AS oldest
  JOIN listing o ON o.subject_id = oldest.id) END AS "firstSeen"`;

/** Selects the relations of the listings in `asked`. */
export const relationsOfListing = (asked: string) => ofListing(asked, '');

/** Selects the relations of the listings in `asked`, and where their files first appeared. */
export const relationsWithFirstSeen = (asked: string) => ofListing(asked, `${FIRST_SEEN},`);

/** Joins the artifact of a related file by its alias. If several artifacts share the alias, joins the first by name. */
const ARTIFACT_AT = `LEFT JOIN LATERAL (SELECT a.subject_id, a.type, a.name FROM subject_alias s JOIN artifact a ON a.subject_id = s.subject_id
  WHERE s.label = ${fileLabel('o', 'ranked.path')}
    AND s.subject_type IN ('agent', 'skill') AND a.listing_id = o.subject_id ORDER BY a.name LIMIT 1) AS file ON true`;

/**
 * Selects one page of the relations of a file of a listing, by any of its `paths`: oldest repository first, then most
 * stars. For identical files, also selects copies that no source relates to this file directly. `asked` is a SELECT of
 * the requested files: `n`, the listing's `id`, `paths` and the page.
 */
export const relationsOfFile = (
  asked: string,
) => `SELECT asked.n, ranked.direction, ranked.kind, true AS "ofFiles", ranked.others, 1 AS "allFiles", 1 AS files,
  ranked.path, ranked.evidence, ranked.source, utc_text(ranked.since) AS since, ranked.stated, ranked.dated,
  (SELECT utc_text(own.repository_created_at) FROM listing own WHERE own.subject_id = asked.id) AS "ownCreatedAt",
  utc_text(o.repository_created_at) AS "createdAt", file.subject_id AS "artifactId", file.type AS "artifactType",
  file.name AS "artifactName", ${OTHER_END_COLUMNS}
FROM (${asked}) AS asked CROSS JOIN LATERAL (
  WITH own AS MATERIALIZED (
    ${selectRelationRows('from', 'r.from_path = ANY (asked.paths)')} UNION ALL ${selectRelationRows('to', 'r.to_path = ANY (asked.paths)')}),
  middles AS (SELECT DISTINCT ON (other_id, lower(other_name), other_path) other_id AS id, other_name AS name, other_path AS path
      FROM own WHERE kind = ${IDENTICAL_FILE} AND other_path IS NOT NULL),
  statements AS (SELECT direction, kind, stated, other_id, other_name, other_path, evidence, source, created_at FROM own
    UNION ALL SELECT 'both', r.type, r.stated, r.from_listing_id, r.from_repository, r.from_path, r.evidence, r.source, r.created_at
    FROM middles CROSS JOIN LATERAL (
      (SELECT * FROM relation listed WHERE listed.to_listing_id = middles.id AND listed.to_path = middles.path
        AND listed.type = ${IDENTICAL_FILE} LIMIT ${MAX_READ})
      UNION ALL
      (SELECT * FROM relation named WHERE named.to_listing_id IS NULL AND middles.id IS NULL
        AND lower(named.to_repository) = lower(middles.name) AND named.to_path = middles.path
        AND named.type = ${IDENTICAL_FILE} LIMIT ${MAX_READ})) AS r
    WHERE r.from_listing_id IS DISTINCT FROM asked.id),
  grouped AS (SELECT direction, kind, other_id, min(other_name) AS other_name, min(other_path) AS path, ${bestOf('evidence')}, ${bestOf('source')}, min(created_at) AS since, bool_or(stated) AS stated
    FROM statements GROUP BY direction, kind, other_id, ${KEY})
  SELECT grouped.*, count(*) OVER every AS others, count(l.repository_created_at) OVER every AS dated,
    row_number() OVER (every ORDER BY l.repository_created_at, l.stars DESC NULLS LAST, lower(other_name)) AS place
  FROM grouped LEFT JOIN listing l ON l.subject_id = grouped.other_id WINDOW every AS (PARTITION BY grouped.direction, grouped.kind)) AS ranked
${OTHER_END_TABLES} ${ARTIFACT_AT}
WHERE ranked.place > asked.skip AND ranked.place <= asked.skip + asked.most
  AND (asked.direction IS NULL OR ranked.direction = asked.direction)
ORDER BY asked.n, ranked.kind, ranked.direction, ranked.place`;
