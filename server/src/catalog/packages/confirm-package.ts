import { isOfUsualRegistry, isSamePackage, nameKey, type RegistryName } from './package-names.ts';
import type { RegistryEntry } from './registry-entry.fragment.ts';

/** A listed repository on its host. */
export interface PackageRepository {
  host: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  /** The host's repository id, if known. */
  hostRepositoryId: string | null;
  /** Creation of the repository, if known. */
  repositoryCreatedAt?: string | null;
}

/** Fields of an MCP registry entry that matter for packages. */
export type NamingEntry = Pick<
  RegistryEntry,
  'serverName' | 'host' | 'repository' | 'hostRepositoryId' | 'packages'
>;

/** A package that a manifest in the repository names. */
interface ManifestPackage extends RegistryName {
  /** Path of the manifest; without a slash at the root of the repository. */
  readonly path: string;
}

/** Answer of a package registry about a package. */
export interface RegistryAnswer extends RegistryName {
  readonly outcome: 'read' | 'missing';
  /** Host of the repository that the package's own metadata name; null if they name none. */
  readonly host: string | null;
  readonly repository: string | null;
  /** Release time of the version whose metadata name the repository, if known. */
  readonly releasedAt?: string | null;
}

/** Evidence about the packages of one repository. */
export interface PackageEvidence {
  /** Current entries of the MCP registry: for each server, the latest version that is not deleted. */
  readonly entries: readonly NamingEntry[];
  readonly manifest: readonly ManifestPackage[];
  /** Answers of package registries about the packages that are named. */
  readonly answers: readonly RegistryAnswer[];
}

/** Package of a listing. It is confirmed if package and repository name each other. */
export interface DecidedPackage {
  readonly name: string | null;
  readonly isConfirmed: boolean;
  /** True if the registry has no such package. */
  readonly isMissing: boolean;
}

/**
 * Decides which package of a registry belongs to a repository. `stated` is the name that a list gives, or null. It stays
 * if its package is confirmed. Otherwise a confirmed package that the owner names, in the MCP registry or in a manifest,
 * replaces it; without one, `stated` stays unconfirmed. If the owner names several confirmed packages, they are parts of
 * the repository, and only a single one with a manifest at the root represents the repository.
 */
export function decidePackage(
  repository: PackageRepository,
  registry: string,
  stated: string | null,
  evidence: PackageEvidence,
): DecidedPackage {
  const isOwn = (name: string) => isOwnPackage(repository, { registry, name }, evidence);
  const byOwner = [
    ...packagesOfOwner(repository, registry, evidence.entries).map((name) => ({ name, isAtRoot: false })),
    ...evidence.manifest
      .filter((each) => each.registry === registry)
      .map(({ name, path }) => ({ name, isAtRoot: !path.includes('/') })),
  ];
  const decided =
    stated !== null && isOwn(stated)
      ? stated
      : soleName(
          registry,
          byOwner.filter(({ name }) => isOwn(name)),
        );
  if (decided !== null) return { name: decided, isConfirmed: true, isMissing: false };
  const isMissing = stated !== null && isUnknownTo(evidence, { registry, name: stated });
  return { name: stated, isConfirmed: false, isMissing };
}

/**
 * Keeps a package with malware as the listing's own until another package is confirmed. An owner therefore cannot
 * remove the Warning by unpublishing the package, or by no longer naming it. The Warning stays even after another
 * package is confirmed, because `refreshPackageStandings` keeps judging packages with malware that were confirmed.
 */
export function keepMalware(
  decided: DecidedPackage,
  malware: RegistryName | null,
  evidence: PackageEvidence,
): DecidedPackage {
  if (malware === null || decided.isConfirmed) return decided;
  const isAsked = decided.name !== null && isSamePackage(malware, { ...malware, name: decided.name });
  const name = isAsked ? decided.name : malware.name;
  return { name, isConfirmed: true, isMissing: isUnknownTo(evidence, malware) };
}

/**
 * Returns true if an entry of the MCP registry shows that the package is of another repository, which had this
 * repository's name before.
 */
export function isOfOtherRepository(
  repository: PackageRepository,
  asked: RegistryName,
  entries: readonly NamingEntry[],
): boolean {
  return entries.some(
    (entry) =>
      isNamedBy(entry, repository) &&
      !isAbout(entry, repository) &&
      packagesNamed(asked.registry, [entry]).some((name) => isSamePackage(asked, { ...asked, name })),
  );
}

interface OwnName {
  readonly name: string;
  readonly isAtRoot: boolean;
}

/**
 * Returns the package's name if all names are spellings of one package. Otherwise returns the only package with a
 * manifest at the root of the repository; null if there is none.
 */
function soleName(registry: string, names: readonly OwnName[]): string | null {
  const distinct = distinctNames(
    registry,
    names.map(({ name }) => name),
  );
  if (distinct.length <= 1) return distinct[0] ?? null;
  const atRoot = distinctNames(
    registry,
    names.filter(({ isAtRoot }) => isAtRoot).map(({ name }) => name),
  );
  return atRoot.length === 1 ? (atRoot[0] ?? null) : null;
}

/**
 * Returns true if a package belongs to a repository, because each side names the other. There are two kinds of proof:
 * - An entry of the MCP registry in the owner's namespace. The registry gives this namespace only to the repository's
 *   owner, and accepts only packages whose own metadata name the server.
 * - Metadata and a manifest. The metadata of the package name the repository, and a manifest in the repository names
 *   the package.
 * An entry in another namespace is no proof, because every owner of a domain can publish one about any repository. A
 * package that its registry does not have belongs to no repository. Metadata of a version released more than seven days
 * before the repository was created refer to an earlier repository of the same name.
 */
export function isOwnPackage(
  repository: PackageRepository,
  asked: RegistryName,
  evidence: PackageEvidence,
): boolean {
  if (isUnknownTo(evidence, asked)) return false;
  const isAsked = (other: RegistryName) => isSamePackage(asked, other);
  const named = packagesOfOwner(repository, asked.registry, evidence.entries);
  if (named.some((name) => isAsked({ ...asked, name }))) return true;
  const answer = evidence.answers.find(isAsked);
  if (answer === undefined || answer.host === null || answer.repository === null) return false;
  const { host } = answer;
  const isNamed = isSameName({ host, repository: answer.repository }, repository);
  return isNamed && !precedes(answer, repository) && evidence.manifest.some(isAsked);
}

/** Days by which a version may precede its repository, because some owners publish a package before the repository. */
const DAYS_BEFORE_REPOSITORY = 7;

/**
 * Returns true if the version was released more than seven days before the repository was created. Returns false if one
 * of the times is unknown.
 */
function precedes(answer: RegistryAnswer, repository: PackageRepository): boolean {
  const [released, created] = [answer.releasedAt, repository.repositoryCreatedAt].map((time) =>
    Date.parse(time ?? ''),
  );
  return Number(created) - Number(released) > DAYS_BEFORE_REPOSITORY * 86_400_000;
}

/** Returns true if the registry has answered that there is no such package. */
function isUnknownTo({ answers }: PackageEvidence, asked: RegistryName): boolean {
  return answers.some((answer) => answer.outcome === 'missing' && isSamePackage(asked, answer));
}

/** A package of a registry other than npm and PyPI that entries of the MCP registry name for a repository. */
export interface OtherPackage extends RegistryName {
  /** True if an entry of the repository's owner names it. */
  readonly isConfirmed: boolean;
}

/** Registries whose packages are shown as the MCP registry names them. */
const OTHER_REGISTRIES = ['oci', 'nuget', 'mcpb'];
/** Maximum number of other packages per listing. */
const MAX_OTHER_PACKAGES = 20;

/** Returns the packages of `OTHER_REGISTRIES` that entries name for a repository, confirmed ones first, at most 20. */
export function otherPackages(
  repository: PackageRepository,
  entries: readonly NamingEntry[],
): OtherPackage[] {
  const packages = OTHER_REGISTRIES.flatMap((registry) => {
    const own = packagesOfOwner(repository, registry, entries);
    const keys = new Set(own.map((name) => nameKey({ registry, name })));
    const strangers = packagesNamed(
      registry,
      entries.filter((entry) => isAbout(entry, repository)),
    ).filter((name) => !keys.has(nameKey({ registry, name })));
    return [
      ...own.map((name) => ({ registry, name, isConfirmed: true })),
      ...strangers.map((name) => ({ registry, name, isConfirmed: false })),
    ];
  });
  return packages
    .sort((one, other) => Number(other.isConfirmed) - Number(one.isConfirmed))
    .slice(0, MAX_OTHER_PACKAGES);
}

/** Returns the packages that entries of the repository's owner name for the repository, once each, sorted. */
function packagesOfOwner(
  repository: PackageRepository,
  registry: string,
  entries: readonly NamingEntry[],
): string[] {
  const own = entries.filter(
    (entry) => isAbout(entry, repository) && isOwnNamespace(entry.serverName, repository),
  );
  return packagesNamed(registry, own);
}

function packagesNamed(registry: string, entries: readonly NamingEntry[]): string[] {
  const packages = entries
    .flatMap((entry) => entry.packages)
    .filter(
      (each) => each.registryType === registry && isOfUsualRegistry(registry, each.registryBaseUrl ?? null),
    );
  return distinctNames(
    registry,
    packages.map(({ identifier }) => identifier),
  );
}

/** Returns one spelling of each package, sorted. The choice does not depend on the order of names. */
function distinctNames(registry: string, names: readonly string[]): string[] {
  const spellings = new Map<string, string>();
  for (const name of names) {
    const key = nameKey({ registry, name });
    const known = spellings.get(key);
    if (known === undefined || name < known) spellings.set(key, name);
  }
  return [...spellings.values()].sort();
}

/**
 * Returns true if the entry is about this repository, and not about another repository that had the same name before.
 */
export function isAbout(entry: NamingEntry, repository: PackageRepository): boolean {
  const ids = [entry.hostRepositoryId, repository.hostRepositoryId];
  // Publishers also write ids that are not numbers; these cannot be compared.
  const areComparable = ids.every((id) => id !== null && /^\d+$/.test(id));
  if (areComparable && ids[0] !== ids[1]) return false;
  return isNamedBy(entry, repository);
}

function isNamedBy({ host, repository: name }: NamingEntry, repository: PackageRepository): boolean {
  return host !== null && name !== null && isSameName({ host, repository: name }, repository);
}

/** Returns true if the MCP registry gives the server's namespace only to the owner of the repository. */
export function isOwnNamespace(serverName: string, { host, repository }: PackageRepository): boolean {
  if (host.toLowerCase() !== 'github.com') return false;
  const [namespace = ''] = serverName.toLowerCase().split('/');
  const [owner = ''] = repository.toLowerCase().split('/');
  return namespace === `io.github.${owner}`;
}

type RepositoryName = Pick<PackageRepository, 'host' | 'repository'>;

function isSameName(one: RepositoryName, other: RepositoryName): boolean {
  const key = ({ host, repository }: RepositoryName) => `${host}/${repository}`.toLowerCase();
  return key(one) === key(other);
}
