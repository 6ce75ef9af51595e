import type { Ecosystem, PackageName } from '../../catalog/advisories/ecosystems.ts';
import { judgePackages, type PackageJudgement } from '../../catalog/advisories/judge-packages.ts';
import { packageText, readPackage } from '../../catalog/advisories/read-package.ts';
import type { StoredReading } from '../../catalog/packages/registry-reading.ts';
import { findByAddress } from '../../catalog/subjects/find-by-address.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../../platform/database/connect.ts';

const CONFIRMED: Readonly<Record<Ecosystem, string>> = { npm: 'npm_confirmed', pypi: 'pypi_confirmed' };

/** Returns true if the package of a listing is confirmed: the package and the repository name each other. */
export async function hasConfirmedPackage(
  connection: Connection,
  listingId: string,
  ecosystem: Ecosystem,
): Promise<boolean> {
  const [row] = await connection.query<{ confirmed: boolean }>(
    `SELECT ${CONFIRMED[ecosystem]} AS confirmed FROM listing WHERE subject_id = $1`,
    [listingId],
  );
  return row?.confirmed ?? false;
}

/** Fields of a registry reading that the API shows. */
export type ShownReading = Pick<
  StoredReading,
  'outcome' | 'version' | 'releasedAt' | 'provenance' | 'deprecated' | 'observedAt'
>;

/** Returns the last reading of a package by its registry; null if the package was never read. */
async function findReading(
  connection: Connection,
  { ecosystem, name }: PackageName,
): Promise<ShownReading | null> {
  const [reading] = await connection.query<ShownReading>(
    `SELECT outcome, version, utc_text(released_at) AS "releasedAt", provenance, deprecated,
       utc_text(observed_at) AS "observedAt"
     FROM package_reading WHERE ecosystem = $1 AND name = $2`,
    [ecosystem, name],
  );
  return reading ?? null;
}

/** Standing, advisories and listing of a package, or of one of its versions. */
export interface PackageReport extends PackageJudgement {
  /** The package as `npm:name` or `pypi:name`. */
  readonly package: string;
  readonly version: string | null;
  /** Listing whose confirmed package it is; null if there is none. */
  readonly listing: ResolvedSubject | null;
  /** Last reading of the package by its registry; null if it was never read. */
  readonly reading: ShownReading | null;
}

/**
 * Returns the standing of a package by its advisories, whether or not it is listed. Throws invalid_request for a text
 * that names no package.
 */
export async function getPackage(
  reads: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<PackageReport> {
  const asked = readPackage(text);
  const named = packageText(asked);
  const [[judgement], listing, reading] = await Promise.all([
    judgePackages(reads, [asked]),
    findListing(reads, asked.ecosystem, named, publicUrls),
    findReading(reads, asked),
  ]);
  if (judgement === undefined) throw new Error('every package has a judgement');
  return { ...judgement, package: named, version: asked.version, listing, reading };
}

/**
 * Finds the listing of a package. A package that only a list names may be a stranger's of the same name, so its
 * advisories say nothing about the listing. Listings are found without regard to case, but npm tells older packages
 * with capitals from those without, so that a name with capitals has no listing.
 */
async function findListing(
  reads: Connection,
  ecosystem: Ecosystem,
  named: string,
  publicUrls: PublicUrls,
): Promise<ResolvedSubject | null> {
  if (named !== named.toLowerCase()) return null;
  const match = await findByAddress(reads, named, publicUrls);
  const [subject, ...others] = match?.subjects ?? [];
  if (subject === undefined || others.length > 0 || subject.agentId === null) return null;
  return (await hasConfirmedPackage(reads, subject.id, ecosystem)) ? subject : null;
}
