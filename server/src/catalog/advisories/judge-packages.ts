import type { Connection } from '../../platform/database/connect.ts';
import {
  type EcosystemReading,
  type FoundAdvisory,
  findAdvisories,
  findReadings,
  type StatedDispute,
} from './advisory.queries.ts';
import { describeAffected, isAffected } from './affected-versions.ts';
import type { PackageName } from './ecosystems.ts';
import type { PackageVersion } from './read-package.ts';
import type { AdvisoryFields } from './save-advisories.ts';

/**
 * Maximum age of a reading of an advisory database. A package without an advisory counts as not affected only if the
 * advisories of its ecosystem were read within this time. Otherwise its standing is unknown.
 */
export const MAX_READING_AGE_DAYS = 7;

type PackageStanding = 'affected' | 'not_affected' | 'unknown';

/** One fault of a package: a vulnerability or malware. Records of several sources about the same fault are merged. */
export interface PackageAdvisory extends AdvisoryFields {
  /** ISO 8601 with microseconds. */
  readonly modifiedAt: string;
  /** Earliest publication among the sources, ISO 8601 with microseconds; null if no source states one. */
  readonly publishedAt: string | null;
  /** Affected versions as texts, such as `>=1.0.16` or `0.5.1`. */
  readonly affected: readonly string[];
  /** Affected versions that the source or others dispute. */
  readonly disputedVersions: readonly string[];
  /** Statements of others that dispute versions. */
  readonly disputes: readonly StatedDispute[];
}

/** Judgement of a package or of one of its versions. */
export interface PackageJudgement {
  readonly standing: PackageStanding;
  readonly advisories: readonly PackageAdvisory[];
  /** Time of the latest reading of the ecosystem's advisories, in ISO 8601; null if none was read. */
  readonly asOf: string | null;
}

/**
 * A vulnerability or malware of a package: the advisory merged from the records with a common id or alias, and these
 * records. A version is affected if one of the records covers it.
 */
export interface PackageFault {
  readonly advisory: PackageAdvisory;
  readonly records: readonly FoundAdvisory[];
}

/**
 * Vulnerabilities and malware of a package, in any of its versions, and when the advisories of its ecosystem were last
 * read.
 */
export interface PackageFaults {
  readonly faults: readonly PackageFault[];
  /** Time of the latest reading of these advisories, in ISO 8601; null if none was read. */
  readonly asOf: string | null;
  /** True if the reading is recent, so that versions without an advisory count as not affected. */
  readonly isCurrent: boolean;
}

/**
 * Judges packages by the stored advisories, in the order of `asked`. The packages need not belong to a listing. A
 * version is affected if a record that is not withdrawn covers it. Without a version, a package is affected if such a
 * record covers any of its versions. Two SQL statements judge any number of packages: 100 packages among 250,000
 * advisories take less than 5 ms (`npm run bench -- advisories`).
 */
export async function judgePackages(
  connection: Connection,
  asked: readonly PackageVersion[],
): Promise<PackageJudgement[]> {
  return (await loadRecords(connection, asked)).map(({ records, asOf, isCurrent }, index) => {
    const { ecosystem = 'npm', version = null } = asked[index] ?? {};
    const affecting = records.filter((each) => version === null || isAffected(ecosystem, version, each));
    const advisories = mergeFaults(affecting).map(({ advisory }) => ofVersion(advisory, version));
    const withoutAdvisory = isCurrent ? 'not_affected' : 'unknown';
    return { standing: advisories.length > 0 ? 'affected' : withoutAdvisory, advisories, asOf };
  });
}

/**
 * Loads the vulnerabilities and malware of the packages in `asked`, whichever versions they affect, in the same order.
 * Sends two SQL statements.
 */
export async function loadFaults(
  connection: Connection,
  asked: readonly PackageName[],
): Promise<PackageFaults[]> {
  const loaded = await loadRecords(connection, asked);
  return loaded.map(({ records, ...reading }) => ({ faults: mergeFaults(records), ...reading }));
}

async function loadRecords(
  connection: Connection,
  asked: readonly PackageName[],
): Promise<(Omit<PackageFaults, 'faults'> & { records: FoundAdvisory[] })[]> {
  const [found, readings] = await Promise.all([
    findAdvisories(connection, asked),
    findReadings(connection, MAX_READING_AGE_DAYS),
  ]);
  const byPackage = asked.map((): FoundAdvisory[] => []);
  for (const advisory of found) byPackage[advisory.n]?.push(advisory);
  return asked.map(({ ecosystem }, index) => {
    const reading = readings.find((each: EcosystemReading) => each.ecosystem === ecosystem);
    return {
      records: byPackage[index] ?? [],
      asOf: reading?.readAt ?? null,
      isCurrent: reading?.isCurrent ?? false,
    };
  });
}

/** Marks the advisory as disputed if the requested version is disputed. */
function ofVersion(advisory: PackageAdvisory, version: string | null): PackageAdvisory {
  const isDisputed = version !== null && advisory.disputedVersions.includes(version);
  return isDisputed ? { ...advisory, disputed: true } : advisory;
}

function mergeFaults(found: readonly FoundAdvisory[]): PackageFault[] {
  return groupByAlias(found).map((records) => ({ advisory: mergeRecords(records), records }));
}

/**
 * Groups records that are about the same vulnerability or malware: those that share an id or an alias, directly or
 * through other records.
 */
function groupByAlias(records: readonly FoundAdvisory[]): FoundAdvisory[][] {
  let groups: { names: Set<string>; records: FoundAdvisory[] }[] = [];
  for (const record of records) {
    const names = new Set([record.id, ...record.aliases]);
    const same = groups.filter((group) => [...names].some((name) => group.names.has(name)));
    groups = [
      ...groups.filter((group) => !same.includes(group)),
      {
        names: new Set([...same.flatMap((group) => [...group.names]), ...names]),
        records: [...same.flatMap((group) => group.records), record],
      },
    ];
  }
  return groups
    .map((group) => group.records.sort(compareRecords))
    .sort(([one], [other]) => compareRecords(one, other));
}

/** Compares records by id, so that the first record of a group does not depend on the order in which they were read. */
function compareRecords(one: FoundAdvisory | undefined, other: FoundAdvisory | undefined): number {
  const [left, right] = [one?.id ?? '', other?.id ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Categories that take precedence when records are merged, in this order. `research_poc` comes first, because a source
 * that uses it has examined the purpose of the package, and because "malware" would accuse the researchers. The malware
 * categories precede all others, because a database without such categories lists the same package as a vulnerability.
 */
const DECIDING_CATEGORIES = ['research_poc', 'malware', 'dependency_confusion'];

/** Returns the record whose content the merged advisory shows: the first one of the category that takes precedence. */
function decidingRecord(records: readonly FoundAdvisory[]): FoundAdvisory {
  const deciding = DECIDING_CATEGORIES.flatMap((category) =>
    records.filter((record) => record.category === category),
  );
  const [first] = [...deciding, ...records];
  if (first === undefined) throw new Error('a group of records has at least one');
  return first;
}

/**
 * Merges records about one vulnerability or malware into one advisory. One record (`decidingRecord`) supplies the
 * content; the others supply a severity and a CVSS vector that it lacks. The ids of the others become aliases.
 */
function mergeRecords(records: readonly FoundAdvisory[]): PackageAdvisory {
  const first = decidingRecord(records);
  const { id, source, url, summary, severity, cvss, category, modifiedAt } = first;
  const names = new Set(records.flatMap((record) => [record.id, ...record.aliases]));
  names.delete(id);
  const disputes = new Map(records.flatMap((record) => record.disputes).map((each) => [each.url, each]));
  const disputed = [...records, ...disputes.values()].flatMap((each) =>
    'disputedVersions' in each ? each.disputedVersions : each.versions,
  );
  const [published = null] = records.flatMap(({ publishedAt }) => publishedAt ?? []).sort();
  return {
    id,
    source,
    url,
    aliases: [...names].sort(),
    summary,
    severity: severity ?? records.find((record) => record.severity !== null)?.severity ?? null,
    cvss: cvss ?? records.find((record) => record.cvss !== null)?.cvss ?? null,
    category,
    disputed: records.some((record) => record.disputed),
    modifiedAt,
    publishedAt: published,
    affected: [...new Set(records.flatMap(describeAffected))],
    disputedVersions: [...new Set(disputed)],
    disputes: [...disputes.values()],
  };
}
