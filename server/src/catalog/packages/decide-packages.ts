import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../../platform/database/connect.ts';
import { ECOSYSTEM_RULES, ECOSYSTEMS, type Ecosystem, type PackageName } from '../advisories/ecosystems.ts';
import { type ObservedFact, type ObservedFacts, removeFacts, saveFacts } from '../facts/observed-facts.ts';
import { type ReleasedPackage, refreshPackageStandings } from '../facts/package-standing.ts';
import {
  artifactsInside,
  type PackageNames,
  packageClaimants,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../listings/listing-aliases.ts';
import { updateListingCopies } from '../listings/write-listings.ts';
import {
  type DecidedPackage,
  decidePackage,
  isOfOtherRepository,
  keepMalware,
  type OtherPackage,
  otherPackages,
} from './confirm-package.ts';
import {
  loadCandidates,
  loadReadings,
  type PackageCandidate,
  savePackages,
} from './decide-packages.queries.ts';
import { refreshOfficialMakers } from './refresh-official-makers.ts';
import type { StoredReading } from './registry-reading.ts';

/** Result of deciding which packages listings have. */
export interface DecidedPackages {
  /** Listings whose packages, confirmations, published versions or standings by advisories changed. */
  changed: string[];
  /** Packages that the changed listings had or have. */
  names: PackageNames;
}

/**
 * Decides again which packages listings have, and which of them are confirmed, from the rows of lists, the entries of
 * the MCP registry, the manifests of repositories and the readings of package registries. Stores the published versions
 * of confirmed packages as facts. The caller has locked the listings' subjects, and updates aliases and scores.
 */
export async function decidePackages(
  connection: Connection,
  ids: readonly string[],
): Promise<DecidedPackages> {
  const candidates = ids.length === 0 ? [] : await loadCandidates(connection, ids);
  const readings = await loadReadings(connection, namedPackages(candidates));
  const judged = candidates.map((listing) => judge(listing, readings));
  const changed = judged.filter(isChanged);
  await savePackages(
    connection,
    changed.map(({ listing, npm, pypi, others }) => ({
      id: listing.id,
      npm_package: npm.name,
      pypi_package: pypi.name,
      npm_confirmed: npm.isConfirmed,
      pypi_confirmed: pypi.isConfirmed,
      npm_missing: npm.isMissing,
      pypi_missing: pypi.isMissing,
      other_packages: others,
    })),
  );
  const changedIds = changed.map(({ listing }) => listing.id);
  // The stored popularity of a listing counts downloads of confirmed packages only, so it may have changed.
  if (changedIds.length > 0) await updateListingCopies(connection, changedIds);
  const published = await savePublishedPackages(connection, judged, readings);
  const released = judged.flatMap((each) => each.released);
  // Advisories apply to a listing only while its package is confirmed, or if the package had malware while it was
  // confirmed.
  const standings = await refreshPackageStandings(
    connection,
    [...new Set([...changedIds, ...released.map(({ id }) => id)])],
    released,
  );
  return {
    changed: [...new Set([...changedIds, ...published, ...standings])],
    names: {
      npm: changed.flatMap(({ listing, npm }) => namesOf(listing.npmPackage, npm.name)),
      pypi: changed.flatMap(({ listing, pypi }) => namesOf(listing.pypiPackage, pypi.name)),
    },
  };
}

/** Packages of a listing as just decided. */
interface JudgedPackages extends Readonly<Record<Ecosystem, DecidedPackage>> {
  readonly listing: PackageCandidate;
  readonly others: readonly OtherPackage[];
  /** Packages with malware that belong to another repository, which had the listing's repository name before. */
  readonly released: readonly ReleasedPackage[];
}

function judge(listing: PackageCandidate, readings: readonly StoredReading[]): JudgedPackages {
  const { entries } = listing;
  const manifest = listing.manifest.map(({ ecosystem, ...same }) => ({ registry: ecosystem, ...same }));
  const answers = readings.map(({ ecosystem, ...same }) => ({ registry: ecosystem, ...same }));
  const evidence = { entries, manifest, answers };
  const malware = listing.malware ?? [];
  const isOther = ({ ecosystem, name }: PackageName) =>
    isOfOtherRepository(listing, { registry: ecosystem, name }, entries);
  const kept = malware.filter((each) => !isOther(each));
  const decide = (registry: Ecosystem, stated: unknown) => {
    const decided = decidePackage(listing, registry, statedName(stated), evidence);
    const bad = kept.find(({ ecosystem }) => ecosystem === registry);
    return keepMalware(decided, bad === undefined ? null : { registry, name: bad.name }, evidence);
  };
  return {
    listing,
    npm: decide('npm', listing.statedNpm),
    pypi: decide('pypi', listing.statedPypi),
    others: otherPackages(listing, entries),
    released: malware.filter(isOther).map((each) => ({ id: listing.id, ...each })),
  };
}

/** Returns the npm and PyPI packages that any source names for the listings, once each, with normalised names. */
function namedPackages(candidates: readonly PackageCandidate[]): PackageName[] {
  const named = candidates.flatMap(({ statedNpm, statedPypi, entries, manifest, malware }) => [
    { ecosystem: 'npm', name: statedName(statedNpm) },
    { ecosystem: 'pypi', name: statedName(statedPypi) },
    ...entries.flatMap(({ packages }) =>
      packages.map(({ registryType, identifier }) => ({ ecosystem: registryType, name: identifier })),
    ),
    ...manifest,
    ...(malware ?? []),
  ]);
  const packages = new Map<string, PackageName>();
  for (const { ecosystem, name } of named) {
    const known = ECOSYSTEMS.find((each) => each === ecosystem);
    if (known === undefined || name === null) continue;
    const normal = ECOSYSTEM_RULES[known].normaliseName(name);
    packages.set(`${known}:${normal}`, { ecosystem: known, name: normal });
  }
  return [...packages.values()];
}

function isChanged({ listing, npm, pypi, others }: JudgedPackages): boolean {
  return (
    npm.name !== listing.npmPackage ||
    pypi.name !== listing.pypiPackage ||
    npm.isConfirmed !== listing.npmConfirmed ||
    pypi.isConfirmed !== listing.pypiConfirmed ||
    npm.isMissing !== listing.npmMissing ||
    pypi.isMissing !== listing.pypiMissing ||
    !isDeepStrictEqual(others, listing.otherPackages) ||
    !listing.hasOwnDownloads
  );
}

/** Returns the package name in a list's row, trimmed as by an import; null if the row has none. */
function statedName(value: unknown): string | null {
  return typeof value === 'string' ? value.trim() || null : null;
}

function namesOf(...names: readonly (string | null)[]): string[] {
  return [...new Set(names.flatMap((name) => name ?? []))];
}

/** Subjects that depend on the packages of listings. */
interface PackageConsequences {
  /** Listings and artifacts to be scored again. */
  due: string[];
  storeAliases: () => Promise<void>;
}

/**
 * Decides the packages of listings again after a change of something else than their rows, such as a package reading.
 * Returns the subjects to score again, and a function that stores the aliases; call it in the same transaction.
 */
export async function refreshPackages(
  connection: Connection,
  ids: readonly string[],
): Promise<PackageConsequences> {
  const { changed, names } = await decidePackages(connection, ids);
  const made = await refreshOfficialMakers(connection, ids);
  if (changed.length + made.length === 0) return { due: [], storeAliases: async () => undefined };
  const claimants = await packageClaimants(connection, names);
  const listings = [...new Set([...changed, ...made, ...claimants.listings])];
  const inside = await artifactsInside(connection, listings);
  return {
    due: [...listings, ...inside],
    storeAliases: async () => {
      await refreshListingAliases(connection, listings);
      await refreshArtifactAliases(connection, claimants.artifacts);
    },
  };
}

/** Addresses of a registry's record of a package. */
const RECORDS: Readonly<Record<Ecosystem, (name: string) => string>> = {
  npm: (name) => `https://registry.npmjs.org/${name.replace('/', '%2F')}`,
  pypi: (name) => `https://pypi.org/pypi/${name}/json`,
};

type PublishedPackage = ObservedFacts['published_package'];

/**
 * Stores the published version of each listing's confirmed package as a fact, with the time at which the registry was
 * read, and removes the facts of packages that are no longer confirmed. Writes only changed facts. Returns the listings
 * whose facts changed.
 */
async function savePublishedPackages(
  connection: Connection,
  judged: readonly (Readonly<Record<Ecosystem, DecidedPackage>> & { readonly listing: PackageCandidate })[],
  readings: readonly StoredReading[],
): Promise<string[]> {
  const facts: ObservedFact[] = [];
  const changed: string[] = [];
  for (const ecosystem of ECOSYSTEMS) {
    const ended: string[] = [];
    for (const { listing, [ecosystem]: decided } of judged) {
      const stored = listing.published[ecosystem];
      const reading = readingOf(ecosystem, decided, readings);
      const value = reading && toPublished(reading);
      if (value === null) {
        if (stored !== undefined) ended.push(listing.id);
      } else if (!isDeepStrictEqual(stored, { value, observedAt: reading?.observedAt })) {
        facts.push(toFact(listing.id, value, reading?.observedAt));
      }
    }
    changed.push(...(await removeFacts(connection, ended, 'published_package', ecosystem)));
  }
  return [...changed, ...(await saveFacts(connection, facts))];
}

/** Returns the stored reading of a package; null if the package is not confirmed or was never read. */
function readingOf(
  ecosystem: Ecosystem,
  { name, isConfirmed }: DecidedPackage,
  readings: readonly StoredReading[],
): StoredReading | null {
  if (name === null || !isConfirmed) return null;
  const normal = ECOSYSTEM_RULES[ecosystem].normaliseName(name);
  return readings.find((each) => each.ecosystem === ecosystem && each.name === normal) ?? null;
}

/** Converts a reading to the fact; null for a package without a stable version. */
function toPublished(reading: StoredReading): PublishedPackage | null {
  const { ecosystem, name, version, releasedAt, provenance, deprecated, monthlyDownloads } = reading;
  if (version === null) return null;
  return { ecosystem, name, version, releasedAt, provenance, deprecated, monthlyDownloads };
}

function toFact(subjectId: string, value: PublishedPackage, observedAt: string | undefined): ObservedFact {
  const { ecosystem, name } = value;
  return {
    subjectId,
    fact: 'published_package',
    value,
    source: ecosystem,
    url: RECORDS[ecosystem](name),
    // Neither npm nor PyPI states a licence for its metadata.
    license: null,
    ...(observedAt === undefined ? {} : { observedAt }),
  };
}
