/** Builds SQL for a normalised PyPI name (PEP 503). The indexes use the same expression. */
export const pypiName = (table: string) => `lower(regexp_replace(${table}.pypi_package, '[-_.]+', '-', 'g'))`;

/**
 * Builds SQL that is true if the package of listing `l` belongs to no other listing `o`. A confirmed claim wins over
 * claims of lists. Of several claims of one kind none wins.
 */
const isOnlyClaim = (registry: 'npm' | 'pypi', isSame: string) => `NOT EXISTS (SELECT FROM listing o
    WHERE ${isSame} AND o.subject_id <> l.subject_id AND (o.${registry}_confirmed OR NOT l.${registry}_confirmed))`;

/** Builds SQL that is true if the registry has no package of this name, as it was last read. */
export const isMissing = (registry: 'npm' | 'pypi', name: string) => `EXISTS (SELECT FROM package_reading r
    WHERE r.ecosystem = '${registry}' AND r.name = ${name} AND r.outcome = 'missing')`;

/** SQL that is true if the npm package of listing `l` belongs to no other listing. */
export const HAS_NPM_ALONE = isOnlyClaim('npm', 'o.npm_package = l.npm_package');

/** SQL that is true if the PyPI package of listing `l` belongs to no other listing. */
export const HAS_PYPI_ALONE = isOnlyClaim('pypi', `${pypiName('o')} = ${pypiName('l')}`);
