import type { PackageAdvisory } from '../../catalog/advisories/judge-packages.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { presentSubject, subjectReference } from '../../catalog/subjects/subject.presenter.ts';
import type {
  Advisory,
  RegistryReading,
  SubjectLookup,
  PackageReport as WireReport,
  SubjectPackage as WireSubjectPackage,
} from '../../generated/types.gen.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { type LookupAnswer, lookUpMany } from './look-up-many.ts';
import { getPackage, type PackageReport, type ShownReading, type SubjectPackage } from './package.queries.ts';

/** Creates the handlers of the public reads about packages, and about many subjects or packages at once. */
export function createPackageHandlers({
  publicUrls,
}: {
  publicUrls: PublicUrls;
}): HandlersOf<'getPackage' | 'lookupSubjects'> {
  return {
    async getPackage({ reads, query }) {
      return { status: 200, body: presentReport(await getPackage(reads, query.package, publicUrls)) };
    },
    async lookupSubjects({ reads, body }) {
      const answers = await lookUpMany(reads, body.subjects, publicUrls);
      return { status: 200, body: { data: answers.map(presentAnswer) } };
    },
  };
}

function presentAnswer({ subject, found, report }: LookupAnswer): SubjectLookup {
  const { status } = found;
  const named = { subject, status, package: report && presentReport(report) };
  if (status === 'found') return { ...named, record: presentSubject(found.record) };
  const missing = { ...named, record: null, message: found.message };
  if (status === 'ambiguous') return { ...missing, candidates: found.candidates.map(subjectReference) };
  if (status !== 'removed') return missing;
  const { host, repository, day, reason } = found.removal;
  return { ...missing, removed: { repository: `${host}/${repository}`, removed_on: day, reason } };
}

function presentReport(report: PackageReport): WireReport {
  return {
    package: report.package,
    version: report.version,
    standing: report.standing,
    advisories: presentAdvisories(report.advisories),
    listing: report.listing && subjectReference(report.listing),
    as_of: report.asOf,
    registry_reading: report.reading && presentReading(report.reading),
  };
}

function presentReading(reading: ShownReading): RegistryReading {
  const { outcome, version, releasedAt, provenance, deprecated, observedAt } = reading;
  return { outcome, version, released_at: releasedAt, provenance, deprecated, read_at: observedAt };
}

/** Maximum advisories, and maximum affected versions of an advisory, that the API contract allows in a response. */
const MAX_ADVISORIES = 1_000;
const MAX_AFFECTED = 1_000;

/** Converts advisories to the API's names; at most as many as the contract allows. */
function presentAdvisories(advisories: readonly PackageAdvisory[]): Advisory[] {
  return advisories.slice(0, MAX_ADVISORIES).map(presentAdvisory);
}

function presentAdvisory(advisory: PackageAdvisory): Advisory {
  return {
    id: advisory.id,
    aliases: [...advisory.aliases],
    summary: advisory.summary,
    category: advisory.category,
    severity: advisory.severity,
    cvss: advisory.cvss,
    disputed: advisory.disputed,
    disputed_versions: advisory.disputedVersions.slice(0, MAX_AFFECTED),
    disputes: advisory.disputes.map(({ versions, reason, url }) => ({
      versions: [...versions],
      reason,
      url,
    })),
    withdrawn: false,
    affected: advisory.affected.slice(0, MAX_AFFECTED),
    source: advisory.source,
    url: advisory.url,
    modified: advisory.modifiedAt,
  };
}

/** Converts the standing of a subject's package to the API's names. */
export function presentSubjectPackage(found: SubjectPackage): WireSubjectPackage {
  return {
    package: found.package,
    version: found.version,
    confirmed: found.isConfirmed,
    standing: found.standing,
    version_standing: found.versionStanding,
    advisories: presentAdvisories(found.advisories),
    as_of: found.asOf,
  };
}
