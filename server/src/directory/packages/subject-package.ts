import {
  judgePackages,
  type PackageAdvisory,
  type PackageJudgement,
} from '../../catalog/advisories/judge-packages.ts';
import { findPackage, packageText } from '../../catalog/advisories/read-package.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { hasConfirmedPackage } from './package.queries.ts';

/** Standing of the package by which a text names a subject, and of the version in that text. */
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
 * Returns the standing of the package if the text names the subject by one: `npm:name@1.2.3`, a package URL or the
 * address of the package at its registry. Returns null for any other text. Sends two statements in all.
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
