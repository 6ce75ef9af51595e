import { ECOSYSTEM_RULES, type Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import { toReadPackage } from '../../catalog/packages/registry-reading.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readPackument } from '../../hosts/readers/npm-package.ts';
import type { PackageReading } from '../../hosts/readers/package-reading.ts';
import { readProject } from '../../hosts/readers/pypi-package.ts';
import { describeViolations, type Parsed, type RejectedRow, rejectRow } from './validate-row.ts';

type PackageKind = 'packument' | 'project';

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
    const row = toReadPackage(ecosystem, reading);
    return { kind, row, keys: [`package ${ecosystem}:${row.name}`] } as unknown as Parsed<Kind>;
  } catch (error) {
    if (error instanceof HostFailure) return rejectRow(kind, error.message);
    throw error;
  }
}
