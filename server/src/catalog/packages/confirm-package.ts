import { normalisePypiName } from '../subjects/normalise.ts';
import type { RegistryEntry } from './registry-entry.ts';

/** A listed repository on its host. */
export interface PackageRepository {
  host: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  /** The host's repository id, if known. */
  hostRepositoryId: string | null;
}

/** A package by its registry (`npm`, `pypi`, `oci`, `nuget`, `mcpb`) and its name there. */
interface PackageName {
  registry: string;
  name: string;
}

/** An entry of the MCP registry, as far as it matters for packages. */
export type NamingEntry = Pick<
  RegistryEntry,
  'serverName' | 'host' | 'repository' | 'hostRepositoryId' | 'packages'
>;

/** Readings of both sides of a package. */
export interface PackageReadings {
  /** Repository that the package's own metadata name; null if they name none, or were not read. */
  packageNames: Pick<PackageRepository, 'host' | 'repository'> | null;
  /** Packages that manifests in the repository name. */
  manifestNames: readonly PackageName[];
}

/** Evidence about the packages of one repository. */
interface PackageEvidence {
  /** Current entries of the MCP registry: of each server the latest version that is not deleted. */
  entries: readonly NamingEntry[];
  /** Readings of the stated package, if there are any. */
  readings: PackageReadings | null;
}

/** Package of a listing, and whether both sides name each other. */
export interface DecidedPackage {
  name: string | null;
  isConfirmed: boolean;
}

/**
 * Decides which package of a registry belongs to a repository. `stated` is the name that a list gives. A confirmed name
 * stays. Otherwise the only package that the repository's owner names in the MCP registry takes its place: the owner
 * knows better than a list. Several such packages are parts of the repository, so none of them stands for it.
 */
export function decidePackage(
  repository: PackageRepository,
  registry: string,
  stated: string | null,
  evidence: PackageEvidence,
): DecidedPackage {
  if (stated !== null && isOwnPackage(repository, { registry, name: stated }, evidence)) {
    return { name: stated, isConfirmed: true };
  }
  const [named, ...others] = packagesOfOwner(repository, registry, evidence.entries);
  if (named !== undefined && others.length === 0) return { name: named, isConfirmed: true };
  return { name: stated, isConfirmed: false };
}

/**
 * Returns true if a package belongs to a repository, because each side names the other. Either the MCP registry proves
 * it: it gives the namespace only to the repository's owner, and accepts only packages whose own metadata name the
 * server. Or the metadata of the package name the repository, and a manifest in the repository names the package. An
 * entry in another namespace does not count as the repository's side: every owner of a domain can publish one about any
 * repository.
 */
export function isOwnPackage(
  repository: PackageRepository,
  asked: PackageName,
  { entries, readings }: PackageEvidence,
): boolean {
  const key = nameKey(asked);
  const named = packagesOfOwner(repository, asked.registry, entries);
  if (named.some((name) => nameKey({ ...asked, name }) === key)) return true;
  if (readings === null || readings.packageNames === null) return false;
  return (
    isSameName(readings.packageNames, repository) &&
    readings.manifestNames.some((each) => each.registry === asked.registry && nameKey(each) === key)
  );
}

/** Returns the packages that entries of the repository's owner name for the repository, once each, sorted. */
function packagesOfOwner(
  repository: PackageRepository,
  registry: string,
  entries: readonly NamingEntry[],
): string[] {
  const names = new Map<string, string>();
  const own = entries.filter(
    (entry) => isAbout(entry, repository) && isOwnNamespace(entry.serverName, repository),
  );
  for (const { identifier, registryType, registryBaseUrl } of own.flatMap((entry) => entry.packages)) {
    if (registryType !== registry || !isUsualRegistry(registry, registryBaseUrl)) continue;
    const key = nameKey({ registry, name: identifier });
    const known = names.get(key);
    // Spellings of one PyPI name are one package; the choice must not depend on the order of entries.
    if (known === undefined || identifier < known) names.set(key, identifier);
  }
  return [...names.values()].sort();
}

/** Returns true if the entry names this repository, and not another one that had the name before. */
export function isAbout(entry: NamingEntry, repository: PackageRepository): boolean {
  if (entry.host === null || entry.repository === null) return false;
  const ids = [entry.hostRepositoryId, repository.hostRepositoryId];
  // Publishers write other ids than numbers, too, which cannot be compared.
  const areComparable = ids.every((id) => id !== null && /^\d+$/.test(id));
  if (areComparable && ids[0] !== ids[1]) return false;
  return isSameName({ host: entry.host, repository: entry.repository }, repository);
}

/** Returns true if the MCP registry gives the server's namespace only to the owner of the repository. */
export function isOwnNamespace(serverName: string, { host, repository }: PackageRepository): boolean {
  if (host.toLowerCase() !== 'github.com') return false;
  const [namespace = ''] = serverName.toLowerCase().split('/');
  const [owner = ''] = repository.toLowerCase().split('/');
  return namespace === `io.github.${owner}`;
}

function isSameName(
  one: Pick<PackageRepository, 'host' | 'repository'>,
  other: Pick<PackageRepository, 'host' | 'repository'>,
): boolean {
  const key = ({ host, repository }: typeof one) => `${host}/${repository}`.toLowerCase();
  return key(one) === key(other);
}

/** Usual addresses of package registries. A package of another address is another package. */
const USUAL_REGISTRIES: Readonly<Record<string, string>> = {
  npm: 'https://registry.npmjs.org',
  pypi: 'https://pypi.org',
};

function isUsualRegistry(registry: string, baseUrl: string | null): boolean {
  const usual = USUAL_REGISTRIES[registry];
  return baseUrl === null || usual === undefined || baseUrl.replace(/\/+$/, '') === usual;
}

/** Returns what is equal for spellings of one name. */
function nameKey({ registry, name }: PackageName): string {
  return registry === 'pypi' ? normalisePypiName(name) : name;
}
