import { ECOSYSTEM_RULES, type Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import { toReadPackage } from '../../catalog/packages/registry-reading.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readPackument } from '../../hosts/readers/npm-package.ts';
import type { PackageReading } from '../../hosts/readers/package-reading.ts';
import { readProject } from '../../hosts/readers/pypi-package.ts';
import { describeViolations, type Parsed, type RejectedRow, rejectRow } from './validate-row.ts';

type PackageKind = 'packument' | 'project';

/** Reasons for rejecting a record without any time, which may be older than every stored reading. */
const UNDATED: Readonly<Record<PackageKind, string>> = {
  packument:
    'time: must have the time of a version, or `modified`, because a record is as old as its last change',
  project:
    'urls: a file must have upload_time_iso_8601 or upload_time, because a record is as old as its last upload',
};

/** Parses a packument, as the npm registry returns it. */
export function parsePackument(imported: ImportedRow): Parsed<'packument'> | RejectedRow {
  return parsePackage('packument', 'npm', imported, (row) => readPackument(row, 'npm'));
}

/** Parses the JSON of a project, as PyPI returns it. */
export function parseProject(imported: ImportedRow): Parsed<'project'> | RejectedRow {
  return parsePackage('project', 'pypi', imported, (row) => readProject(row, 'PyPI'));
}

/** Checks a row by its schema, and reads it with the reader of its registry. */
function parsePackage<Kind extends PackageKind>(
  kind: Kind,
  ecosystem: Ecosystem,
  imported: ImportedRow,
  read: (row: ImportedRow) => PackageReading,
): Parsed<Kind> | RejectedRow {
  const reason = describeViolations(kind, imported);
  if (reason !== null) return rejectRow(kind, reason);
  try {
    const reading = read(imported);
    const { osvName, isName } = ECOSYSTEM_RULES[ecosystem];
    if (!isName(reading.name)) return rejectRow(kind, `name: must be a name that ${osvName} allows`);
    const { releasedAt, modifiedAt } = reading;
    if (releasedAt === null && modifiedAt === null) return rejectRow(kind, UNDATED[kind]);
    const row = toReadPackage(ecosystem, reading);
    return { kind, row, keys: [`package ${ecosystem}:${row.name}`] } as unknown as Parsed<Kind>;
  } catch (error) {
    if (error instanceof HostFailure) return rejectRow(kind, error.message);
    throw error;
  }
}
