import { ECOSYSTEMS, type Ecosystem, type PackageName } from '../../catalog/advisories/ecosystems.ts';
import {
  judgePackages,
  type PackageAdvisory,
  type PackageJudgement,
} from '../../catalog/advisories/judge-packages.ts';
import {
  findPackage,
  type PackageVersion,
  packageText,
  readPackage,
} from '../../catalog/advisories/read-package.ts';
import type { StoredReading } from '../../catalog/packages/registry-reading.ts';
import { findNamedSubjects } from '../../catalog/subjects/look-up-subjects.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../catalog/subjects/resolve-subject.ts';
import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';

/**
 * Returns true if a listing's package of this ecosystem is confirmed: the package and the repository name each other.
 */
async function hasConfirmedPackage(
  connection: Connection,
  listingId: string,
  ecosystem: Ecosystem,
): Promise<boolean> {
  const confirmed = await findConfirmed(connection, [listingId]);
  return confirmed.has(`${ecosystem} ${listingId}`);
}

/** Returns the confirmed packages of listings, each as `<ecosystem> <id of the listing>`. */
async function findConfirmed(
  connection: Connection,
  listingIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (listingIds.length === 0) return new Set();
  const rows = await connection.query<{ id: string; npm: boolean; pypi: boolean }>(
    `SELECT l.subject_id AS id, l.npm_confirmed AS npm, l.pypi_confirmed AS pypi
     FROM (${batchRows('id uuid')}) AS c JOIN listing l ON l.subject_id = c.id`,
    [batchJson(listingIds.map((id) => ({ id })))],
  );
  return new Set(
    rows.flatMap((row) => ECOSYSTEMS.filter((each) => row[each]).map((each) => `${each} ${row.id}`)),
  );
}

/** Fields of a registry reading that the API shows. */
export type ShownReading = Pick<
  StoredReading,
  'outcome' | 'version' | 'releasedAt' | 'provenance' | 'deprecated' | 'observedAt'
>;

/** Returns the last reading of each package in its registry, by the text of the package such as `npm:name`. */
async function findReadings(
  connection: Connection,
  packages: readonly PackageName[],
): Promise<Map<string, ShownReading>> {
  const asked = packages.map(({ ecosystem, name }) => ({ ecosystem, name }));
  const rows = await connection.query<ShownReading & PackageName>(
    `SELECT r.ecosystem, r.name, r.outcome, r.version, utc_text(r.released_at) AS "releasedAt", r.provenance,
       r.deprecated, utc_text(r.observed_at) AS "observedAt"
     FROM (${batchRows('ecosystem text, name text')}) AS c
     JOIN package_reading r ON r.ecosystem = c.ecosystem AND r.name = c.name COLLATE "C"`,
    [batchJson(asked)],
  );
  return new Map(rows.map(({ ecosystem, name, ...reading }) => [packageText({ ecosystem, name }), reading]));
}

/**
 * Report on a package or one of its versions: whether advisories affect it, which ones, and the listing of the package.
 */
export interface PackageReport extends PackageJudgement {
  /** The package as `npm:name` or `pypi:name`. */
  readonly package: string;
  readonly version: string | null;
  /** Listing that has this package as its confirmed package; null if there is none. */
  readonly listing: ResolvedSubject | null;
  /** Last reading of the package in its registry; null if it was never read. */
  readonly reading: ShownReading | null;
}

/**
 * Returns whether known advisories affect a package or the version in the text, whether or not the package is listed.
 * Throws invalid_request for a text that names no package.
 */
export async function getPackage(
  reads: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<PackageReport> {
  const [report] = await getPackages(reads, [readPackage(text)], publicUrls);
  if (report === undefined) throw new Error('every package has a report');
  return report;
}

/**
 * Returns a report on each package, in the order of `asked`: whether known advisories affect it. Packages without a
 * listing have a report, too. Sends at most five statements, however many packages there are.
 */
export async function getPackages(
  reads: Connection,
  asked: readonly PackageVersion[],
  publicUrls: PublicUrls,
): Promise<PackageReport[]> {
  if (asked.length === 0) return [];
  const [judgements, listings, readings] = await Promise.all([
    judgePackages(reads, asked),
    findListings(reads, asked, publicUrls),
    findReadings(reads, asked),
  ]);
  return asked.map((each, index) => {
    const judgement = judgements[index];
    if (judgement === undefined) throw new Error('every package has a judgement');
    const named = packageText(each);
    const [listing, reading] = [listings[index] ?? null, readings.get(named) ?? null];
    return { ...judgement, package: named, version: each.version, listing, reading };
  });
}

/**
 * Finds the listing of each package, in the order of `asked`. Returns null for a package that only a list attributes to
 * a listing: it may be another person's package of the same name. Listings are found without regard to case, but npm
 * has older packages with capitals in their names, which differ from those in lower case. A name with capitals
 * therefore has no listing.
 */
async function findListings(
  connection: Connection,
  asked: readonly PackageVersion[],
  publicUrls: PublicUrls,
): Promise<(ResolvedSubject | null)[]> {
  const found = await findNamedSubjects(connection, asked.map(lowerCaseText), REPOSITORY_TYPES, publicUrls);
  const single = found.map(([first, ...others]) => (first?.agentId && others.length === 0 ? first : null));
  const confirmed = await findConfirmed(connection, [...new Set(single.flatMap((each) => each?.id ?? []))]);
  return asked.map((each, index) => {
    const subject = single[index];
    if (!subject || packageText(each) !== lowerCaseText(each)) return null;
    return confirmed.has(`${each.ecosystem} ${subject.id}`) ? subject : null;
  });
}

function lowerCaseText(named: PackageName): string {
  return packageText(named).toLowerCase();
}

/** Report on the package by which a text names a subject: whether advisories affect it and the version in that text. */
export interface SubjectPackage {
  /** The package as `npm:name` or `pypi:name`. */
  readonly package: string;
  /** Version in the text; null if the text has none. */
  readonly version: string | null;
  /** True if the package and the subject's repository name each other. */
  readonly isConfirmed: boolean;
  readonly standing: PackageJudgement['standing'];
  /** Standing of this version alone; null if the text has no version. */
  readonly versionStanding: PackageJudgement['standing'] | null;
  /** Advisories that affect the version; if the text has no version, those that affect any version. */
  readonly advisories: readonly PackageAdvisory[];
  readonly asOf: string | null;
}

/**
 * Returns whether advisories affect the package by which a text names a subject: `npm:name@1.2.3`, a package URL, or
 * the address of a package at its registry. Returns null for any other text. Sends three statements in all.
 */
export async function findSubjectPackage(
  reads: Connection,
  text: string,
  subjectId: string,
): Promise<SubjectPackage | null> {
  const named = findPackage(text);
  if (named === null) return null;
  const { version } = named;
  const asked = version === null ? [named] : [{ ...named, version: null }, named];
  const [[whole, ofVersion], isConfirmed] = await Promise.all([
    judgePackages(reads, asked),
    hasConfirmedPackage(reads, subjectId, named.ecosystem),
  ]);
  if (whole === undefined) throw new Error('every package has a judgement');
  return {
    package: packageText(named),
    version,
    isConfirmed,
    standing: whole.standing,
    versionStanding: ofVersion?.standing ?? null,
    advisories: (ofVersion ?? whole).advisories,
    asOf: whole.asOf,
  };
}
