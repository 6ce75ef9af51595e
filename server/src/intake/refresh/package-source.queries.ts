import { ECOSYSTEMS } from '../../catalog/advisories/ecosystems.ts';
import { registryHost } from '../../hosts/lookup/host-package.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** Builds SQL for a name as its registry compares names. */
const normalName = (ecosystem: string, name: string) => `CASE ${ecosystem}
    WHEN 'pypi' THEN lower(regexp_replace(btrim(${name}), '[-_.]+', '-', 'g')) ELSE btrim(${name}) END`;

/** SQL that is true for a package of an entry whose registry is the usual one of its type. */
const IS_USUAL = `coalesce(rtrim(p.value ->> 'registryBaseUrl', '/'), 'https://pypi.org')
    IN ('https://registry.npmjs.org', 'https://pypi.org')`;

const HOST = `CASE n.ecosystem ${ECOSYSTEMS.map((each) => `WHEN '${each}' THEN '${registryHost(each)}'`).join(' ')} END`;

// Names come from lists, from entries of the MCP registry about listed repositories, and from manifests. The more
// popular a listing is, the longer ago the first reading of its packages was due.
const SCHEDULE = `
WITH named (ecosystem, name, stars) AS (
  SELECT 'npm', l.npm_package, l.stars FROM listing l WHERE l.npm_package IS NOT NULL
  UNION ALL SELECT 'pypi', l.pypi_package, l.stars FROM listing l WHERE l.pypi_package IS NOT NULL
  UNION ALL SELECT 'npm', a.npm_package, 0 FROM artifact a WHERE a.npm_package IS NOT NULL
  UNION ALL SELECT 'pypi', a.pypi_package, 0 FROM artifact a WHERE a.pypi_package IS NOT NULL
  UNION ALL SELECT p.value ->> 'registryType', p.value ->> 'identifier', l.stars
    FROM mcp_registry_entry e JOIN listing l ON lower(l.host) = lower(e.host) AND lower(l.repository) = lower(e.repository),
      jsonb_array_elements(e.packages) AS p
    WHERE e.status <> 'deleted' AND ${IS_USUAL}
  UNION ALL SELECT p.value ->> 'ecosystem', p.value ->> 'name', l.stars
    FROM observed_fact f JOIN listing l USING (subject_id), jsonb_array_elements(f.value -> 'packages') AS p
    WHERE f.fact = 'manifest'),
packages AS (
  SELECT n.ecosystem, ${normalName('n.ecosystem', 'n.name')} AS name, max(n.stars) AS stars FROM named n
  WHERE n.ecosystem = ANY ($2::text[]) AND length(n.name) <= 214 GROUP BY 1, 2)
INSERT INTO source_reading (source, item, host, next_check_at)
SELECT $1, n.ecosystem || ':' || n.name, ${HOST}, ledger_now() - make_interval(secs => ln(1 + coalesce(n.stars, 0)::float8))
FROM packages n WHERE n.name <> ''
  AND NOT EXISTS (SELECT FROM source_reading r WHERE r.source = $1 AND r.item = n.ecosystem || ':' || n.name)
ORDER BY n.stars DESC NULLS LAST, n.ecosystem, n.name
ON CONFLICT DO NOTHING RETURNING item`;

/**
 * Schedules a first reading of named packages that have none; returns their number. One statement schedules them all,
 * because it has to collect the names of all packages in any case.
 */
export async function schedulePackages(connection: Connection, source: string): Promise<number> {
  const rows = await connection.query(SCHEDULE, [source, ECOSYSTEMS]);
  return rows.length;
}
