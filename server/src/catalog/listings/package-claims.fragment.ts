/** Builds SQL for a normalised PyPI name (PEP 503). The indexes use the same expression. */
export const pypiName = (table: string) => `lower(regexp_replace(${table}.pypi_package, '[-_.]+', '-', 'g'))`;

/**
 * Builds SQL that is true if the package of listing `l` belongs to no other listing `o`. A confirmed claim wins over
 * claims of lists. Of several claims of one kind none wins.
 */
const isOnlyClaim = (registry: 'npm' | 'pypi', isSame: string) => `NOT EXISTS (SELECT FROM listing o
    WHERE ${isSame} AND o.subject_id <> l.subject_id AND (o.${registry}_confirmed OR NOT l.${registry}_confirmed))`;

/** SQL that is true if the npm package of listing `l` belongs to no other listing. */
export const HAS_NPM_ALONE = isOnlyClaim('npm', 'o.npm_package = l.npm_package');

/** SQL that is true if the PyPI package of listing `l` belongs to no other listing. */
export const HAS_PYPI_ALONE = isOnlyClaim('pypi', `${pypiName('o')} = ${pypiName('l')}`);
