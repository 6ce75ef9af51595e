import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import type { RegistryEntry, RegistryPackage } from '../../catalog/packages/registry-entry.fragment.ts';
import { readRepositoryUrl } from '../../catalog/repository-url.ts';
import { BUILT_IN_HOSTS } from '../../catalog/subjects/public-path.ts';
import { describeViolations, type Parsed, type RejectedRow, rejectRow } from './validate-row.ts';

/** Member of `_meta` in which the official registry states the status of an entry. */
const OFFICIAL = 'io.modelcontextprotocol.registry/official';

/** Matches texts that can be stored: printable ASCII without spaces, as in names, versions and addresses. */
const TOKEN = /^[\x21-\x7e]{1,500}$/;

interface Published {
  server: {
    name: string;
    version: string;
    repository?: unknown;
    packages?: unknown;
    remotes?: unknown;
  };
  _meta: { [OFFICIAL]: Pick<RegistryEntry, 'status' | 'isLatest' | 'updatedAt'> & { publishedAt?: string } };
}

/**
 * Parses a line of the MCP registry: one entry, or an answer with a list of entries. Rejects the whole line if one
 * entry is invalid. Leaves `keys` empty, because several lines may describe the same version: the latest update counts.
 */
export function parseServer(imported: ImportedRow): Parsed<'server'> | RejectedRow {
  const { servers } = imported;
  if (servers === undefined) {
    const reason = describeViolations('server', imported);
    return reason === null ? parsed([entryOf(imported)]) : rejectRow('server', reason);
  }
  if (!Array.isArray(servers)) return rejectRow('server', 'servers: must be a list of entries');
  for (const [place, entry] of servers.entries()) {
    const reason = isObject(entry) ? describeViolations('server', entry) : 'must be an object';
    if (reason !== null) return rejectRow('server', `servers, entry ${place + 1}: ${reason}`);
  }
  return parsed(servers.map(entryOf));
}

function parsed(entries: RegistryEntry[]): Parsed<'server'> {
  return { kind: 'server', row: { entries }, keys: [] };
}

/** Converts an entry that its schema has accepted. */
function entryOf(row: ImportedRow): RegistryEntry {
  const { server, _meta } = row as unknown as Published;
  const { status, isLatest, publishedAt, updatedAt } = _meta[OFFICIAL];
  const stated = isObject(server.repository) ? server.repository : {};
  const repository = repositoryOf(stated.url);
  return {
    serverName: server.name,
    version: server.version,
    status,
    isLatest,
    publishedAt: publishedAt ?? updatedAt,
    updatedAt,
    host: repository?.host ?? null,
    repository: repository?.repository ?? null,
    subfolder: repository && tokenOf(stated.subfolder),
    hostRepositoryId: repository && tokenOf(stated.id),
    packages: listOf(server.packages).flatMap(packageOf),
    remoteHosts: [...new Set(listOf(server.remotes).flatMap(({ url }) => hostOf(url)))].sort(),
    secrets: secretsOf([...listOf(server.packages), ...listOf(server.remotes)]),
  };
}

/** Members of a package or remote endpoint in which an entry declares what the user has to supply. */
const INPUTS = ['environmentVariables', 'headers', 'packageArguments', 'runtimeArguments'];
/** Maximum secrets per entry; no entry of the registry has half as many. */
const MAX_SECRETS = 50;

/** Returns the names of the inputs that the entry calls secret. */
function secretsOf(parts: readonly ImportedRow[]): string[] {
  const inputs = parts.flatMap((part) => INPUTS.flatMap((member) => listOf(part[member])));
  const secret = inputs.filter(({ isSecret }) => isSecret === true);
  return [...new Set(secret.flatMap(({ name }) => tokenOf(name) ?? []))].sort().slice(0, MAX_SECRETS);
}

function repositoryOf(url: unknown) {
  if (typeof url !== 'string') return null;
  try {
    return readRepositoryUrl(url, BUILT_IN_HOSTS);
  } catch {
    return null;
  }
}

function packageOf({ registryType, identifier, version, registryBaseUrl }: ImportedRow): RegistryPackage[] {
  const [type, name] = [tokenOf(registryType), tokenOf(identifier)];
  if (type === null || name === null) return [];
  return [
    {
      registryType: type.toLowerCase(),
      identifier: name,
      version: tokenOf(version),
      registryBaseUrl: tokenOf(registryBaseUrl),
    },
  ];
}

function hostOf(url: unknown): string[] {
  const text = tokenOf(url);
  return text !== null && URL.canParse(text) ? [new URL(text).hostname].filter((host) => host !== '') : [];
}

function tokenOf(value: unknown): string | null {
  return typeof value === 'string' && TOKEN.test(value) ? value : null;
}

function listOf(value: unknown): ImportedRow[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isObject(value: unknown): value is ImportedRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
