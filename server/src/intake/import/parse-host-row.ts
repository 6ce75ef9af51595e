import { ECOSYSTEM_RULES, type Ecosystem } from '../../catalog/advisories/ecosystems.ts';
import type { ImportedRow } from '../../catalog/listings/listing-row.ts';
import { toReadPackage } from '../../catalog/packages/registry-reading.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { cardOf, skillsOf } from '../../hosts/lookup/well-known.ts';
import { readPackument } from '../../hosts/readers/npm-package.ts';
import type { PackageReading } from '../../hosts/readers/package-reading.ts';
import { readProject } from '../../hosts/readers/pypi-package.ts';
import type { WellKnownRow } from './save-well-known.ts';
import { describeViolations, type Parsed, type RejectedRow, rejectRow } from './validate-row.ts';

type HostKind = 'packument' | 'project' | 'agent_card' | 'skills_index';

/** Validates a row in a host's own format by its schema, and parses it with the reader that a refresh uses. */
function parseHostRow<Kind extends HostKind>(
  kind: Kind,
  imported: ImportedRow,
  read: () => { row: Parsed<Kind>['row']; key: string } | RejectedRow,
): Parsed<Kind> | RejectedRow {
  const reason = describeViolations(kind, imported);
  if (reason !== null) return rejectRow(kind, reason);
  try {
    const parsed = read();
    return 'row' in parsed
      ? ({ kind, row: parsed.row, keys: [parsed.key] } as unknown as Parsed<Kind>)
      : parsed;
  } catch (error) {
    if (error instanceof HostFailure) return rejectRow(kind, error.message);
    throw error;
  }
}

/** Reasons for rejecting a record without any time, which may be older than every stored reading. */
const UNDATED: Readonly<Record<'packument' | 'project', string>> = {
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

/** Parses a row about a package with the reader of its registry. */
function parsePackage<Kind extends 'packument' | 'project'>(
  kind: Kind,
  ecosystem: Ecosystem,
  imported: ImportedRow,
  readWith: (row: ImportedRow) => PackageReading,
): Parsed<Kind> | RejectedRow {
  return parseHostRow(kind, imported, () => {
    const reading = readWith(imported);
    const { osvName, isName } = ECOSYSTEM_RULES[ecosystem];
    if (!isName(reading.name)) return rejectRow(kind, `name: must be a name that ${osvName} allows`);
    const { releasedAt, modifiedAt } = reading;
    if (releasedAt === null && modifiedAt === null) return rejectRow(kind, UNDATED[kind]);
    const row = toReadPackage(ecosystem, reading);
    return { row, key: `package ${ecosystem}:${row.name}` };
  });
}

/**
 * Parses an agent card of A2A. Uses the domain of the agent's first interface, because a card does not state where it
 * was published.
 */
export function parseAgentCard(imported: ImportedRow): Parsed<'agent_card'> | RejectedRow {
  return parseFile('agent_card', imported, ({ supportedInterfaces: [first] }, text) => {
    const domain = domainOf(first?.url);
    return domain === null ? null : { domain, files: { card: cardOf(text, domain) } };
  });
}

/**
 * Parses an index of skills. Its domain is that of the first https address among its own `url` and those of its skills.
 */
export function parseSkillsIndex(imported: ImportedRow): Parsed<'skills_index'> | RejectedRow {
  return parseFile('skills_index', imported, ({ url, skills }, text) => {
    const domain = [url, ...skills.map((skill) => skill.url)].map(domainOf).find((found) => found !== null);
    return domain === undefined || domain === null
      ? null
      : { domain, files: { skills: skillsOf(text, domain) } };
  });
}

/** Fields of an agent card and of an index of skills, both checked by their schemas. */
interface CheckedFile {
  url?: string | null;
  supportedInterfaces: { url: string }[];
  skills: { url: string }[];
}

/** Parses a file that a domain publishes about its agents or skills. `readFile` returns null if it names no domain. */
function parseFile<Kind extends 'agent_card' | 'skills_index'>(
  kind: Kind,
  imported: ImportedRow,
  readFile: (row: CheckedFile, text: string) => WellKnownRow | null,
): Parsed<Kind> | RejectedRow {
  return parseHostRow(kind, imported, () => {
    const row = readFile(imported as unknown as CheckedFile, JSON.stringify({ ...imported }));
    if (row === null) return rejectRow(kind, 'no https address in it says from which domain it is');
    return { row, key: `${kind} ${row.domain}` };
  });
}

/** Returns the domain of an https address; null for other texts. */
function domainOf(url: string | null | undefined): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' ? hostname : null;
}
