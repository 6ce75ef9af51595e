/** A package as an entry names it. */
export interface RegistryPackage {
  /** `npm`, `pypi`, `oci`, `nuget`, `mcpb`, or another type. */
  registryType: string;
  /** Package name, or the address of a file. */
  identifier: string;
  version: string | null;
  /** Address of the package registry; null for the usual one of the type. */
  registryBaseUrl: string | null;
}

/** Statement of the MCP registry about one version of a server. Times are ISO 8601. */
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

/** Entries of one imported line: a single entry, or all entries of an answer. */
export interface RegistryLine {
  entries: readonly RegistryEntry[];
}

/** Registry that the entries come from. */
export const REGISTRY_SOURCE = 'registry.modelcontextprotocol.io';

/** Licence of the registry's data. */
export const REGISTRY_LICENSE = 'CC0-1.0';

/** Returns the address of an entry in the MCP registry. */
export function entryUrl({ serverName, version }: Pick<RegistryEntry, 'serverName' | 'version'>): string {
  const path = `${encodeURIComponent(serverName)}/versions/${encodeURIComponent(version)}`;
  return `https://${REGISTRY_SOURCE}/v0.1/servers/${path}`;
}
