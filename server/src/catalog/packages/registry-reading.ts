import type { PackageReading } from '../../hosts/readers/package-reading.ts';
import { ECOSYSTEM_RULES, type Ecosystem, type PackageName } from '../advisories/ecosystems.ts';
import { readRepositoryUrl } from '../repository-url.ts';
import { BUILT_IN_HOSTS } from '../subjects/public-path.ts';

/** Reading of a package registry about a package, to be stored. Times are ISO 8601 UTC. */
export interface ReadPackage extends PackageName {
  readonly outcome: 'read' | 'missing';
  /** Latest stable version. Without one, `version`, `releasedAt`, `provenance` and `deprecated` are null. */
  readonly version: string | null;
  readonly releasedAt: string | null;
  /** Host of the repository that the package's metadata name; `repository` is the repository's `owner/name`. */
  readonly host: string | null;
  readonly repository: string | null;
  readonly provenance: 'attested' | 'none' | 'lost' | null;
  readonly deprecated: boolean | null;
  readonly monthlyDownloads: number | null;
  /** Version that the registry installs by default, if it is a pre-release; otherwise null. */
  readonly defaultVersion: string | null;
  /** Release times of versions, also of removed ones; null if unknown. */
  readonly versionTimes: Readonly<Record<string, string>> | null;
  /**
   * Time at which the registry's record of the package last changed; null if the record does not state it.
   * `savePackageReadings` takes an imported record as read at this time, unless the import states a later one.
   */
  readonly modifiedAt: string | null;
}

/** A stored reading with its time. */
export interface StoredReading extends Omit<ReadPackage, 'defaultVersion' | 'versionTimes' | 'modifiedAt'> {
  readonly observedAt: string;
}

/**
 * Converts a reading of a registry to the form that is stored. The first address that is a repository becomes the host
 * and the repository.
 */
export function toReadPackage(
  ecosystem: Ecosystem,
  { name, repositoryUrls, ...reading }: PackageReading,
  monthlyDownloads: number | null = null,
): ReadPackage {
  const repository = repositoryUrls.map(repositoryAt).find((found) => found !== null);
  return {
    ecosystem,
    name: ECOSYSTEM_RULES[ecosystem].normaliseName(name),
    outcome: 'read',
    ...reading,
    host: repository?.host ?? null,
    repository: repository?.repository ?? null,
    monthlyDownloads,
  };
}

function repositoryAt(address: string) {
  try {
    return readRepositoryUrl(address, BUILT_IN_HOSTS);
  } catch {
    return null;
  }
}

/** Returns a reading which says that the registry has no such package. */
export function missingPackage({ ecosystem, name }: PackageName): ReadPackage {
  const unknown = {
    version: null,
    releasedAt: null,
    provenance: null,
    deprecated: null,
    defaultVersion: null,
    versionTimes: null,
    modifiedAt: null,
  };
  const nowhere = { host: null, repository: null, monthlyDownloads: null };
  return { ecosystem, name, outcome: 'missing', ...unknown, ...nowhere };
}

/** Returns the names of packages by their registry. */
export function namesByEcosystem(packages: readonly PackageName[]): Record<Ecosystem, string[]> {
  const of = (ecosystem: Ecosystem) =>
    packages.filter((each) => each.ecosystem === ecosystem).map(({ name }) => name);
  return { npm: of('npm'), pypi: of('pypi') };
}
