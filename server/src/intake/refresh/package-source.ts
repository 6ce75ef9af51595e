import { ECOSYSTEM_RULES, ECOSYSTEMS, type PackageName } from '../../catalog/advisories/ecosystems.ts';
import { missingPackage, toReadPackage } from '../../catalog/packages/registry-reading.ts';
import { confirmPackageReading, savePackageReadings } from '../../catalog/packages/save-package-readings.ts';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { type PackageResponse, readHostPackage, registryHost } from '../../hosts/lookup/host-package.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { type ClaimedItem, schedulePackages } from './leased-source.queries.ts';
import { createLeasedSource } from './leased-source.ts';
import type { RefreshSource } from './refresh-source.ts';

const SOURCE = 'package';
const DAY_SECONDS = 86_400;
/** Seconds between two readings of a package. Shorter than the age at which facts count as old. */
const CHECK_SECONDS = 6 * DAY_SECONDS;
/** Seconds until the next reading of a package that its registry does not have. */
const MISSING_SECONDS = 30 * DAY_SECONDS;
/** Number of requests for a package: its record, and its downloads (npm) or its index (PyPI). */
const REQUESTS = 2;

/** Creates the source that reads what npm and PyPI show about packages that listings name. */
export function packageSource({ database, hosts }: { database: Database; hosts: Hosts }): RefreshSource {
  return createLeasedSource<PackageResponse>(database, {
    name: 'packages',
    source: SOURCE,
    checkSeconds: CHECK_SECONDS,
    goneSeconds: MISSING_SECONDS,
    async prepare() {
      await schedulePackages(database, SOURCE);
      return ECOSYSTEMS.map(registryHost);
    },
    async read(claimed, signal) {
      const { ecosystem, name } = packageOf(claimed);
      if (!ECOSYSTEM_RULES[ecosystem].isName(name)) {
        throw new HostFailure('not_found', `${claimed.host} allows no such name.`);
      }
      const { etag } = claimed.state;
      const known = typeof etag === 'string' ? etag : null;
      const value = await readHostPackage(hosts, { ecosystem, name, etag: known, signal });
      const { validators, rateLimit } = value;
      return { value, state: { etag: validators.etag ?? null }, requests: REQUESTS, rateLimit };
    },
    store: (connection, claimed, value) => store(connection, packageOf(claimed), value),
  });
}

/** Stores an answer; null if the registry has no such package. Returns the subjects to be scored again. */
async function store(
  connection: Connection,
  asked: PackageName,
  answer: PackageResponse | null,
): Promise<readonly string[]> {
  if (answer !== null && answer.reading === null) {
    return confirmPackageReading(connection, asked, answer.monthlyDownloads);
  }
  const reading =
    answer === null || answer.reading === null
      ? missingPackage(asked)
      : toReadPackage(asked.ecosystem, answer.reading, answer.monthlyDownloads);
  const { due, storeAliases } = await savePackageReadings(connection, [reading], { isImport: false });
  await storeAliases?.();
  return due;
}

/** Returns the package of an item such as `npm:name`. */
function packageOf({ item }: ClaimedItem): PackageName {
  const ecosystem = ECOSYSTEMS.find((each) => item.startsWith(`${each}:`));
  if (ecosystem === undefined) throw new Error(`the item ${item} names no package`);
  return { ecosystem, name: item.slice(ecosystem.length + 1) };
}
