/** Builds SQL that normalises a PyPI name (PEP 503). The indexes use the same expression. */
export const normalPypiName = (name: string) => `lower(regexp_replace(${name}, '[-_.]+', '-', 'g'))`;

/** Builds SQL for the normalised PyPI name of a table's row. */
export const pypiName = (table: string) => normalPypiName(`${table}.pypi_package`);

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
