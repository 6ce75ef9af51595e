import { findPackage } from '../../catalog/advisories/read-package.ts';
import { type LookedUp, lookUpSubjects } from '../../catalog/subjects/look-up-subjects.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { getPackages, type PackageReport } from './package.queries.ts';

/** Answer to one subject of a request: the record that it resolves to, and the package that it names. */
export interface LookupAnswer {
  /** The subject as it was sent. */
  readonly subject: string;
  readonly found: LookedUp;
  /** Null if the subject names no package. */
  readonly report: PackageReport | null;
}

/**
 * Looks up many subjects, each with the package that it names, in the order of the request. Equal subjects are looked
 * up once. Sends at most nine statements, however many subjects there are, which `look-up-many.long.test.ts` checks.
 */
export async function lookUpMany(
  reads: Connection,
  asked: readonly { readonly subject: string; readonly type?: SubjectType }[],
  publicUrls: PublicUrls,
): Promise<LookupAnswer[]> {
  const distinct = [...new Map(asked.map((each) => [keyOf(each), each])).values()];
  const packages = new Map(
    distinct.flatMap(({ subject }) => {
      const named = findPackage(subject);
      return named === null ? [] : [[subject, named] as const];
    }),
  );
  const [found, reports] = await Promise.all([
    lookUpSubjects(
      reads,
      distinct.map(({ subject, type = null }) => ({ text: subject, type })),
      publicUrls,
    ),
    getPackages(reads, [...packages.values()], publicUrls),
  ]);
  const foundByKey = new Map(distinct.map((each, index) => [keyOf(each), found[index]]));
  const reportBySubject = new Map([...packages.keys()].map((subject, index) => [subject, reports[index]]));
  return asked.map((each) => {
    const result = foundByKey.get(keyOf(each));
    if (result === undefined) throw new Error('every subject has a result');
    return { subject: each.subject, found: result, report: reportBySubject.get(each.subject) ?? null };
  });
}

/** Returns a key that equal subjects share. */
function keyOf({ subject, type = '' }: { readonly subject: string; readonly type?: string }): string {
  return `${type} ${subject}`;
}
