import { isDeepStrictEqual } from 'node:util';
import type { Connection } from '../../platform/database/connect.ts';
import { ECOSYSTEM_RULES, ECOSYSTEMS, type Ecosystem } from '../advisories/ecosystems.ts';
import { type ObservedFact, type ObservedFacts, removeFacts, saveFacts } from '../facts/observed-facts.ts';
import type { DecidedPackage } from './confirm-package.ts';
import type { PackageCandidate } from './decide-packages.queries.ts';
import type { StoredReading } from './registry-reading.ts';

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
export async function savePublishedPackages(
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

/** Returns the stored reading of a confirmed package; null if the package was never read. */
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
