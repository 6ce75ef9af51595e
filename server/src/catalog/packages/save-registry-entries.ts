import { createHash } from 'node:crypto';
import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type RowOutcome, type SavedBatch, utc } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { listingsNamedBy } from './decide-packages.queries.ts';
import { refreshPackages } from './decide-packages.ts';
import {
  entryUrl,
  REGISTRY_LICENSE,
  REGISTRY_SOURCE,
  type RegistryEntry,
  type RegistryLine,
} from './registry-entry.fragment.ts';

/**
 * Stores a batch of lines with entries of the MCP registry. An entry that was updated later replaces an earlier one of
 * the same version, in any order of import. Decides again the packages of the listings that the entries name, or named
 * before. The caller is in a transaction and has called lockRegistry.
 */
export async function saveRegistryEntries(
  connection: Connection,
  lines: readonly RegistryLine[],
): Promise<SavedBatch> {
  const entries = lines.flatMap((line) => line.entries);
  const names = [...new Set(entries.map(({ serverName }) => serverName))];
  const before = await listingsNamedBy(connection, names);
  const stored = await saveEntries(connection, entries);
  const outcomes = outcomesOf(lines, stored);
  if (outcomes.every((outcome) => outcome === 'unchanged')) {
    return { outcomes, saved: [], due: [], dueByLineage: [] };
  }
  const after = await listingsNamedBy(connection, names);
  const listings = [...new Set([...before, ...after])];
  await lockSubjects(connection, listings);
  await announceListings(connection, listings);
  const consequences = await refreshPackages(connection, listings);
  return { outcomes, saved: [], dueByLineage: [], ...consequences };
}

/** Returns one outcome per line: added if one of its entries is new, otherwise changed if one of them has changed. */
function outcomesOf(
  lines: readonly RegistryLine[],
  stored: readonly ('added' | 'changed' | 'unchanged')[],
): RowOutcome[] {
  let from = 0;
  return lines.map(({ entries }) => {
    const own = new Set(stored.slice(from, from + entries.length));
    from += entries.length;
    if (own.has('added')) return 'added';
    return own.has('changed') ? 'changed' : 'unchanged';
  });
}

const COLUMNS = `server_name text, version text, status text, is_latest boolean, published_at timestamptz,
  updated_at timestamptz, host text, repository text, subfolder text, host_repository_id text, packages jsonb,
  remote_hosts text[], secrets text[], source text, url text, license text, content_hash text`;

const NAMES = COLUMNS.replace(/(\w+) [\w[\]]+/g, '$1');

/**
 * Builds SQL for the precedence of an entry among the entries about one version. The latest update wins. Among updates
 * of the same time, a deleted or deprecated version wins, then one that is no longer the latest, then the one with more
 * secrets, because secrets were not read in earlier releases. If all of these are equal, the hash decides, so that the
 * order of import never matters.
 */
const precedence = (table: string) => `(${table}.updated_at,
  CASE ${table}.status WHEN 'deleted' THEN 2 WHEN 'deprecated' THEN 1 ELSE 0 END, NOT ${table}.is_latest,
  cardinality(${table}.secrets), ${table}.content_hash)`;

// Leaves out unchanged entries before the insertion, because ON CONFLICT locks the stored row, and a row lock is a
// write.
const saveFrom = (rows: string) => `
INSERT INTO mcp_registry_entry (${NAMES})
SELECT DISTINCT ON (r.server_name COLLATE "C", r.version COLLATE "C") ${NAMES.replace(/\w+/g, 'r.$&')} FROM ${rows} r
LEFT JOIN mcp_registry_entry o ON o.server_name = r.server_name AND o.version = r.version
WHERE o.server_name IS NULL OR ${precedence('r')} > ${precedence('o')}
ORDER BY r.server_name COLLATE "C", r.version COLLATE "C", r.updated_at DESC,
  CASE r.status WHEN 'deleted' THEN 2 WHEN 'deprecated' THEN 1 ELSE 0 END DESC, NOT r.is_latest DESC,
  cardinality(r.secrets) DESC, r.content_hash COLLATE "C" DESC
ON CONFLICT (server_name, version) DO UPDATE SET status = excluded.status, is_latest = excluded.is_latest,
  published_at = excluded.published_at, updated_at = excluded.updated_at, host = excluded.host,
  repository = excluded.repository, subfolder = excluded.subfolder, host_repository_id = excluded.host_repository_id,
  packages = excluded.packages, remote_hosts = excluded.remote_hosts, secrets = excluded.secrets, source = excluded.source, url = excluded.url,
  license = excluded.license, content_hash = excluded.content_hash, observed_at = ledger_now()
RETURNING content_hash AS hash, xmax = 0 AS added`;

/**
 * Stores entries that are not stored yet, or of which only an older state is stored. Returns the outcome of each entry,
 * in order.
 */
async function saveEntries(
  connection: Connection,
  entries: readonly RegistryEntry[],
): Promise<('added' | 'changed' | 'unchanged')[]> {
  const records = entries.map((entry) => Object.assign(columns(entry), { content_hash: hashOf(entry) }));
  const { from, bind } = await batchSource(connection, COLUMNS, records);
  const rows = await connection.query<{ hash: string; added: boolean }>(saveFrom(from), bind);
  const written = new Map(rows.map(({ hash, added }) => [hash, added]));
  return records.map(({ content_hash: hash }) => {
    const added = written.get(hash);
    // Of several equal entries, only the first is reported as added or changed.
    written.delete(hash);
    return added === undefined ? 'unchanged' : added ? 'added' : 'changed';
  });
}

function columns(entry: RegistryEntry) {
  return {
    server_name: entry.serverName,
    version: entry.version,
    status: entry.status,
    is_latest: entry.isLatest,
    published_at: utc(entry.publishedAt),
    updated_at: utc(entry.updatedAt),
    host: entry.host,
    repository: entry.repository,
    subfolder: entry.subfolder,
    host_repository_id: entry.hostRepositoryId,
    packages: entry.packages,
    remote_hosts: entry.remoteHosts,
    secrets: entry.secrets,
    source: REGISTRY_SOURCE,
    url: entryUrl(entry),
    license: REGISTRY_LICENSE,
  };
}

function hashOf(entry: RegistryEntry): string {
  const { secrets, ...others } = columns(entry);
  // Entries without secrets have the hash under which earlier releases stored them.
  const content = secrets.length === 0 ? others : { ...others, secrets };
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Invalidates cached pages of listings, because these pages show what entries declare. */
async function announceListings(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await connection.query('SELECT announce(id) FROM unnest($1::text[]) AS s (id)', [ids]);
}
