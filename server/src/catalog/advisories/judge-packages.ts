import type { Connection } from '../../platform/database/connect.ts';
import {
  type EcosystemReading,
  type FoundAdvisory,
  findAdvisories,
  findReadings,
} from './advisory.queries.ts';
import type { AdvisoryFields } from './advisory-row.ts';
import { describeAffected, isAffected } from './affected-versions.ts';
import type { PackageVersion } from './read-package.ts';

/**
 * Maximum age of a reading of an advisory database. A package without an advisory counts as not affected only while a
 * reading of its ecosystem is not older; later, its standing is unknown.
 */
const MAX_READING_AGE_DAYS = 7;

type PackageStanding = 'affected' | 'not_affected' | 'unknown';

/** One fault of a package. Records of several sources about the same fault are merged. */
export interface PackageAdvisory extends AdvisoryFields {
  /** ISO 8601 with microseconds. */
  readonly modifiedAt: string;
  /** Affected versions as texts, such as `>=1.0.16` or `0.5.1`. */
  readonly affected: readonly string[];
}

/** Judgement of a package or of one of its versions. */
export interface PackageJudgement {
  readonly standing: PackageStanding;
  readonly advisories: readonly PackageAdvisory[];
  /** Time of the latest reading of the ecosystem's advisories, in ISO 8601; null if none was read. */
  readonly asOf: string | null;
}

/**
 * Judges packages by the stored advisories, in the order of `asked`, whether or not a listing has them. A version is
 * affected if a record that is not withdrawn names it. Without a version, a package is affected if such a record names
 * any of its versions. Two statements judge any number of packages: 100 packages among 250,000 advisories take less
 * than 5 ms (`npm run bench -- advisories`).
 */
export async function judgePackages(
  connection: Connection,
  asked: readonly PackageVersion[],
): Promise<PackageJudgement[]> {
  const [found, readings] = await Promise.all([
    findAdvisories(connection, asked),
    findReadings(connection, MAX_READING_AGE_DAYS),
  ]);
  const byPackage = asked.map((): FoundAdvisory[] => []);
  for (const advisory of found) byPackage[advisory.n]?.push(advisory);
  return asked.map((each, index) => judge(each, byPackage[index] ?? [], readings));
}

function judge(
  { ecosystem, version }: PackageVersion,
  found: readonly FoundAdvisory[],
  readings: readonly EcosystemReading[],
): PackageJudgement {
  const reading = readings.find((each) => each.ecosystem === ecosystem);
  const affecting = found.filter((each) => version === null || isAffected(ecosystem, version, each));
  const advisories = groupByAlias(affecting).map((records) => ({
    ...mergeRecords(records),
    affected: [...new Set(records.flatMap(describeAffected))],
  }));
  const withoutAdvisory = reading?.isCurrent ? 'not_affected' : 'unknown';
  return {
    standing: advisories.length > 0 ? 'affected' : withoutAdvisory,
    advisories,
    asOf: reading?.readAt ?? null,
  };
}

/** Groups records that are about the same fault: those that share an id or an alias, directly or through others. */
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

/** Sorts records by id, so that the same records always have the same first one. */
function compareRecords(one: FoundAdvisory | undefined, other: FoundAdvisory | undefined): number {
  const [left, right] = [one?.id ?? '', other?.id ?? ''];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/**
 * Categories that decide for a merged advisory, in this order. A source that calls a package a proof of concept of
 * researchers has examined its purpose, and the word malware would accuse them.
 */
const DECIDING_CATEGORIES = ['research_poc'];

/** Merges records about one fault. The first one stands for them; the ids of the others become aliases. */
function mergeRecords(records: readonly FoundAdvisory[]): Omit<PackageAdvisory, 'affected'> {
  const decides = ({ category }: FoundAdvisory) => DECIDING_CATEGORIES.includes(category);
  const first = records.find(decides) ?? records[0];
  if (first === undefined) throw new Error('a group of records has at least one');
  const { id, source, url, summary, severity, cvss, category, modifiedAt } = first;
  const names = new Set(records.flatMap((record) => [record.id, ...record.aliases]));
  names.delete(id);
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
  };
}
