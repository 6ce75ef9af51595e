/** SQL of a PyPI package's one spelling (PEP 503); the indexes of the migration are on the same expression. */
const pypiName = (table: string) => `lower(regexp_replace(${table}.pypi_package, '[-_.]+', '-', 'g'))`;

// A former name was stated once or observed by the repository's id; it stays, as history does.
const formerNames = (listing: string) => `ARRAY(SELECT substr(f.label, length(${listing}.host) + 2)
  FROM subject_alias f WHERE f.subject_id = ${listing}.subject_id AND f.kind = 'former'
  AND starts_with(f.label, lower(${listing}.host) || '/') ORDER BY f.label)`;

/** A package that more than one listing names leads to none of them. */
export const LISTING_NAMES = `
SELECT l.subject_id AS id, l.type, l.agent_id AS "agentId", l.host, l.repository, l.name,
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE o.npm_package = l.npm_package AND o.subject_id <> l.subject_id)
    THEN l.npm_package END AS "npmPackage",
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE ${pypiName('o')} = ${pypiName('l')} AND o.subject_id <> l.subject_id)
    THEN l.pypi_package END AS "pypiPackage",
  ${formerNames('l')} AS "formerRepositories"
FROM listing l WHERE l.subject_id = ANY ($1::uuid[])`;

/** A package that a listing names is the listing's; the artifacts inside it may name it too. */
export const ARTIFACT_NAMES = `
SELECT a.subject_id AS id, a.type, l.host, l.repository, a.name, a.path,
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE o.npm_package = a.npm_package) THEN a.npm_package END AS "npmPackage",
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE ${pypiName('o')} = ${pypiName('a')})
    THEN a.pypi_package END AS "pypiPackage",
  ${formerNames('l')} AS "formerRepositories"
FROM artifact a JOIN listing l ON l.subject_id = a.listing_id WHERE a.subject_id = ANY ($1::uuid[])`;

/** An array: one kept statement for any number of listings. */
export const ARTIFACTS_INSIDE =
  'SELECT subject_id AS id FROM artifact WHERE listing_id = ANY ($1::uuid[]) ORDER BY 1';

/** Both tables by both kinds of package: one reading. */
export const NAMERS_OF = `WITH asked AS (SELECT DISTINCT ${pypiName('p')} AS pypi FROM unnest($2::text[]) AS p(pypi_package))
  SELECT subject_id AS id, true AS "isListing" FROM listing WHERE npm_package = ANY ($1::text[])
  UNION SELECT l.subject_id, true FROM listing l JOIN asked ON ${pypiName('l')} = asked.pypi
  UNION SELECT subject_id, false FROM artifact WHERE npm_package = ANY ($1::text[])
  UNION SELECT a.subject_id, false FROM artifact a JOIN asked ON ${pypiName('a')} = asked.pypi`;
