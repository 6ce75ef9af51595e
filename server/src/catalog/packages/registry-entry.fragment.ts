/** A package as an entry of the MCP registry names it. */
export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, or another type. */
  registryType: string;
  /** Package name, or the address of a file. */
  identifier: string;
  version: string | null;
  /** Address of the package registry; null for the usual one of the type. */
  registryBaseUrl: string | null;
}

/** Entry of the MCP registry about one version of a server. Times are ISO 8601. */
export interface RegistryEntry {
  /** Namespace and name, such as `io.github.acme/robot`. */
  serverName: string;
  version: string;
  /** Lifecycle of the version; a deleted one has ended. */
  status: 'active' | 'deprecated' | 'deleted';
  isLatest: boolean;
  publishedAt: string;
  updatedAt: string;
  /** Repository host, lower case; null without a repository on a known host. */
  host: string | null;
  /** Repository in the form `owner/name`. */
  repository: string | null;
  /** Folder of the server inside the repository. */
  subfolder: string | null;
  /** The host's repository id, as the publisher stated it. */
  hostRepositoryId: string | null;
  packages: readonly RegistryPackage[];
  /** Hosts of the server's remote endpoints, sorted. */
  remoteHosts: readonly string[];
  /** Names of the secrets that the server asks for, such as environment variables and headers, sorted. */
  secrets: readonly string[];
}

/** Entries of one imported line: a single entry, or all entries of one response of the registry's API. */
export interface RegistryLine {
  entries: readonly RegistryEntry[];
}

/** Host name of the MCP registry, the source of the entries. */
export const REGISTRY_SOURCE = 'registry.modelcontextprotocol.io';

/** Licence of the data of the MCP registry. */
export const REGISTRY_LICENSE = 'CC0-1.0';

/** Returns the address of an entry in the MCP registry. */
export function entryUrl({ serverName, version }: Pick<RegistryEntry, 'serverName' | 'version'>): string {
  const path = `${encodeURIComponent(serverName)}/versions/${encodeURIComponent(version)}`;
  return `https://${REGISTRY_SOURCE}/v0.1/servers/${path}`;
}

/**
 * SQL for the server that the owner of listing `l` has published in the MCP registry; of several servers, the one
 * updated last. Only entries in the namespace `io.github.<owner>` count, because the registry reserves it for the
 * owner. Entries in other namespaces may name any repository.
 */
export const DECLARED_SERVER = `
  SELECT e.server_name AS "serverName", e.version, utc_text(e.updated_at) AS "updatedAt", e.url, e.secrets,
    jsonb_array_length(e.packages) > 0 AS "runsLocally", e.remote_hosts AS "remoteHosts"
  FROM mcp_registry_entry e
  WHERE lower(e.host) = lower(l.host) AND lower(e.repository) = lower(l.repository) AND e.status <> 'deleted'
    AND lower(split_part(e.server_name, '/', 1)) = 'io.github.' || lower(split_part(l.repository, '/', 1))
    AND (e.host_repository_id ~ '^\\d+$' AND l.host_repository_id ~ '^\\d+$'
      AND e.host_repository_id <> l.host_repository_id) IS NOT TRUE
    AND NOT EXISTS (SELECT FROM mcp_registry_entry n WHERE n.server_name = e.server_name AND n.status <> 'deleted'
      AND (n.is_latest, n.published_at, n.version) > (e.is_latest, e.published_at, e.version))
  ORDER BY e.updated_at DESC, e.server_name LIMIT 1`;

/** A row of `DECLARED_SERVER`: what the server's owner declares. Times are ISO 8601. */
export interface DeclaredServer {
  serverName: string;
  version: string;
  updatedAt: string;
  /** Address of the entry. */
  url: string;
  /** Names of secrets that the server needs. */
  secrets: string[];
  /** True if the server is published as a package, which its users run. */
  runsLocally: boolean;
  remoteHosts: string[];
}
