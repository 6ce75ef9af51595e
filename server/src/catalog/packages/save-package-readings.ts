import type { Connection } from '../../platform/database/connect.ts';
import type { PackageName } from '../advisories/ecosystems.ts';
import { packageClaimants, refreshArtifactAliases } from '../listings/listing-aliases.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { listingKey, packageKeys } from '../registry-keys.ts';
import { readLocked } from '../registry-locks.ts';
import { refreshPackages } from './decide-packages.ts';
import { listingsConcerned, renewReading, upsertReadings } from './package-readings.queries.ts';
import { missingPackage, namesByEcosystem, type ReadPackage } from './registry-reading.ts';

/**
 * Stores readings of different packages, and decides again which listings have these packages. Readings from a file
 * (`isImport`) never replace a later one: a file is as old as the last change that it shows. The caller has called lockRegistry, or lockKeys for the
 * packages.
 */
export async function savePackageReadings(
  connection: Connection,
  readings: readonly ReadPackage[],
  { isImport }: { isImport: boolean },
): Promise<SavedBatch> {
  const listings = await lockConcerned(connection, readings);
  const changed = await upsertReadings(connection, readings, isImport);
  const outcomes = readings.map((reading): RowOutcome => {
    const found = changed.find((each) => isSame(each, reading));
    return found === undefined ? 'unchanged' : found.isNew ? 'added' : 'changed';
  });
  const nothing = { outcomes, saved: [], due: [], dueByLineage: [] };
  if (isImport && changed.length === 0) return nothing;
  const { due, storeAliases } = await refreshPackages(connection, listings);
  const turned = namesByEcosystem(changed.filter(({ isTurned }) => isTurned));
  return {
    ...nothing,
    due,
    storeAliases: async () => {
      await storeAliases();
      // A reading changes no column of an artifact, so the aliases of artifacts with the package are refreshed here.
      const { artifacts } = await packageClaimants(connection, turned);
      await refreshArtifactAliases(connection, artifacts);
    },
  };
}

/** Renews the time of an unchanged reading, and the facts derived from it. Returns the subjects to be scored again. */
export async function confirmPackageReading(
  connection: Connection,
  name: PackageName,
  monthlyDownloads: number | null,
): Promise<readonly string[]> {
  const reading = { ...missingPackage(name), outcome: 'read' as const };
  const listings = await lockConcerned(connection, [reading]);
  await renewReading(connection, name, monthlyDownloads);
  const { due, storeAliases } = await refreshPackages(connection, listings);
  await storeAliases();
  return due;
}

async function lockConcerned(connection: Connection, readings: readonly ReadPackage[]): Promise<string[]> {
  const listings = await readLocked(
    connection,
    () => listingsConcerned(connection, readings),
    (ids) => [...packageKeys(namesByEcosystem(readings)), ...ids.map(listingKey)],
  );
  await lockSubjects(connection, listings);
  return listings;
}

function isSame(one: PackageName, other: PackageName): boolean {
  return one.ecosystem === other.ecosystem && one.name === other.name;
}
