import type { Connection } from '../../src/platform/database/connect.ts';

// Ids and times differ between databases; everything else must be equal.
const LISTINGS = `
SELECT l.host, l.repository, l.type, l.kind, l.name, l.description, l.category, l.tags, l.repository_url,
  l.host_repository_id, l.homepage, l.license, l.stars, l.forks, l.open_issues, l.last_commit_at, l.metrics_observed_at,
  l.npm_package, l.npm_confirmed, l.npm_missing, l.pypi_missing, l.other_packages, l.npm_monthly_downloads, l.pypi_package, l.pypi_confirmed, l.source, l.imported, w.words::text, w.kind AS found_kind, w.license AS found_license, o.tier AS ordered_tier, o.stars AS ordered_stars,
  o.last_commit_at AS ordered_commit, o.kind AS ordered_kind, o.tags AS ordered_tags, w.type AS found_type, w.verified, w.tier AS found_tier, w.category AS found_category, w.sort_name,
  w.popularity AS found_popularity, k.kind AS ranked_kind,
  k.type AS ranked_type, k.verified AS ranked_verified, k.category AS ranked_category, k.tier, c.host || ':' || c.handle AS creator,
  p.repository AS parent, l.parent_relation, l.parent_stated, round(k.trust::numeric, 1) AS trust,
  round(k.confidence::numeric, 1) AS confidence, s.name AS subject_name
FROM listing l JOIN subject s ON s.id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id
LEFT JOIN listing_rank k ON k.subject_id = l.subject_id LEFT JOIN listing_order o ON o.subject_id = l.subject_id
LEFT JOIN listing_words w ON w.subject_id = l.subject_id LEFT JOIN listing p ON p.subject_id = l.parent_id ORDER BY l.host, l.repository`;

const CREATORS = `
SELECT c.host, c.handle, c.display_name, c.imported, s.name FROM creator c JOIN subject s ON s.id = c.subject_id
ORDER BY c.host, c.handle`;

const ARTIFACTS = `
SELECT l.repository, a.name, a.type, a.kind, a.path, a.description, a.imported, round(v.trust::numeric, 1) AS trust
FROM artifact a JOIN listing l ON l.subject_id = a.listing_id JOIN subject s ON s.id = a.subject_id
LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version ORDER BY l.repository, a.name`;

const ARTIFACT_NAMES = `
SELECT l.repository, n.name, a.name AS artifact, n.imported FROM artifact_other_name n JOIN artifact a ON a.subject_id = n.subject_id
JOIN listing l ON l.subject_id = n.listing_id ORDER BY l.repository, n.name`;

const ACCOUNTS = `
SELECT p.type, p.kind, p.platform, p.handle, p.name, p.url, p.former_handles, p.owner_handle, c.handle AS owner,
  p.platform_account_id, p.account_created_at, p.verified_mark, p.audience, p.audience_day_growth, p.engagement,
  p.last_post_at, p.cross_link, p.scam_flag, p.observed_at, p.source, p.imported, s.name AS subject_name,
  round(v.trust::numeric, 1) AS trust
FROM platform_account p JOIN subject s ON s.id = p.subject_id LEFT JOIN creator c ON c.subject_id = p.owner_id
LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version ORDER BY p.type, p.platform, p.handle`;

const RELATIONS = `
SELECT r.type, r.from_repository, r.from_path, r.to_repository, r.to_path, f.repository AS from_listing,
  t.repository AS to_listing, r.directed, r.stated, r.evidence, r.source, r.imported FROM relation r
LEFT JOIN listing f ON f.subject_id = r.from_listing_id LEFT JOIN listing t ON t.subject_id = r.to_listing_id
ORDER BY lower(r.type), lower(r.from_repository), r.from_path, lower(r.to_repository), r.to_path, r.source`;

const ALIASES = `
SELECT a.label, a.kind, a.subject_type, coalesce(l.repository, x.name, c.handle, p.handle) AS subject FROM subject_alias a
LEFT JOIN listing l ON l.subject_id = a.subject_id LEFT JOIN artifact x ON x.subject_id = a.subject_id
LEFT JOIN creator c ON c.subject_id = a.subject_id LEFT JOIN platform_account p ON p.subject_id = a.subject_id
WHERE a.label <> a.subject_id::text AND a.label NOT LIKE 'agt-%' ORDER BY 1, 2, 3, 4`;

const SERVERS = `
SELECT server_name, version, status, is_latest, published_at, updated_at, host, repository, subfolder, packages, remote_hosts
FROM mcp_registry_entry ORDER BY server_name, version`;

const READINGS = `
SELECT ecosystem, name, outcome, version, released_at, host, repository, provenance, deprecated FROM package_reading
ORDER BY ecosystem, name`;

const TOTALS = `
SELECT type, verified, tier, category, kind, license, sum(difference) AS total FROM listing_total GROUP BY 1, 2, 3, 4, 5, 6
HAVING sum(difference) <> 0 ORDER BY 1, 2, 3, 4, 5, 6`;

/**
 * Returns everything that an import stores, without ids and times: equal for two databases with the same registry.
 */
export async function registryState(connection: Connection): Promise<Record<string, unknown[]>> {
  return {
    listings: await connection.query(LISTINGS),
    creators: await connection.query(CREATORS),
    artifacts: await connection.query(ARTIFACTS),
    artifactNames: await connection.query(ARTIFACT_NAMES),
    accounts: await connection.query(ACCOUNTS),
    relations: await connection.query(RELATIONS),
    aliases: await connection.query(ALIASES),
    servers: await connection.query(SERVERS),
    readings: await connection.query(READINGS),
    totals: await connection.query(TOTALS),
    due: await connection.query('SELECT own FROM score_due'),
    progress: await connection.query('SELECT stage FROM import_progress'),
  };
}

const TABLES = [
  'subject',
  'subject_alias',
  'score_evidence',
  'score_version',
  'listing',
  'listing_rank',
  'listing_words',
  'listing_order',
  'creator',
  'artifact',
  'artifact_other_name',
  'platform_account',
  'relation',
  'listing_total',
  'mcp_registry_entry',
  'package_reading',
  'observed_fact',
];

/** Returns one text per stored row version: equal before and after work that wrote nothing. */
export async function rowVersions(connection: Connection): Promise<string[]> {
  const tables = [...TABLES, 'import_progress', 'score_due'];
  const rows = await connection.query<{ version: string }>(
    tables
      .map(
        (table) =>
          `SELECT '${table} ' || ctid::text || ' ' || xmin::text || ' ' || xmax::text AS version FROM ${table}`,
      )
      .join(' UNION ALL '),
  );
  return rows.map(({ version }) => version).sort();
}
