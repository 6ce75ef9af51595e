import { ECOSYSTEM_RULES, ECOSYSTEMS } from '../../catalog/advisories/ecosystems.ts';
import { readPackage } from '../../catalog/advisories/read-package.ts';
import type { AdvisoryDispute } from '../../catalog/advisories/save-advisories.ts';
import {
  cleanLine,
  listOf,
  type OsvRecord,
  objectOf,
  severityWordOf,
  textOf,
  timeOf,
  webAddressOf,
} from './osv-fields.ts';
import { isOsvRecord, type ParsedOsv, parseOsvRecord, rejected, rowOf } from './parse-osv.ts';

/** Result of parsing an entry of a document about advisories. */
export type ParsedAdvisory = ParsedOsv | { readonly kind: 'dispute'; readonly dispute: AdvisoryDispute };

/** Returns true if a parsed JSON value is about advisories: an OSV record, an exposure catalogue or a dispute. */
export function isAboutAdvisories(value: unknown): boolean {
  return isOsvRecord(value) || isCatalogue(value) || isDispute(value);
}

/**
 * Parses a JSON document with an exposure catalogue, an OSV record or a dispute; its shape decides which. A catalogue
 * has several entries, the others have one. `modifiedAt` is the time of catalogue entries for which the catalogue
 * states none. Returns rejections as entries, and never throws.
 */
export function parseAdvisories(text: string, modifiedAt: string): ParsedAdvisory[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [{ kind: 'rejected', code: 'unreadable', reason: 'not valid JSON' }];
  }
  if (isCatalogue(value)) return parseCatalogue(value, modifiedAt);
  if (isDispute(value)) return [parseDispute(value)];
  return [parseOsvRecord(value)];
}

/** Name of the source of records from exposure catalogues. */
export const CATALOGUE_SOURCE = 'Bumblebee exposure catalogue';
/** Supported version of the catalogue's schema. */
const CATALOGUE_VERSION = '0.2.0';

function isCatalogue(value: unknown): value is OsvRecord {
  const catalogue = objectOf(value);
  if (catalogue === null || typeof catalogue.schema_version !== 'string') return false;
  return Array.isArray(catalogue.entries) && !Object.hasOwn(catalogue, 'affected');
}

function parseCatalogue(catalogue: OsvRecord, modifiedAt: string): ParsedAdvisory[] {
  const problem =
    catalogue.schema_version === CATALOGUE_VERSION
      ? null
      : `schema_version: is not ${CATALOGUE_VERSION}; the rules of ${CATALOGUE_VERSION} were applied`;
  const time = timeOf(catalogue.modified) ?? timeOf(catalogue.updated) ?? modifiedAt;
  return listOf(catalogue.entries).map((entry) => parseEntry(objectOf(entry) ?? {}, time, problem));
}

/**
 * Parses an entry of an exposure catalogue: versions of a package that were published with malicious code. The list
 * `["*"]` stands for all versions.
 */
function parseEntry(entry: OsvRecord, fileTime: string, fileProblem: string | null): ParsedAdvisory {
  const id = cleanLine(entry.id, 128);
  if (!/^[!-~]+$/.test(id)) return rejected('entries.id: must be printable ASCII characters without spaces');
  if (typeof entry.ecosystem !== 'string') return rejected('entries.ecosystem: is missing');
  const ecosystem = ECOSYSTEMS.find((each) => each === entry.ecosystem);
  const rules = ecosystem ? ECOSYSTEM_RULES[ecosystem] : null;
  const stated = cleanLine(entry.package, 256);
  const name = stated.replace(/^@@/, '@');
  if (rules && !rules.isName(name))
    return rejected(`entries.package: must be a name that ${rules.osvName} allows`);
  const versions = [...new Set(listOf(entry.versions).map((each) => cleanLine(each, 200)))].filter(Boolean);
  if (rules && versions.length === 0)
    return rejected('entries.versions: must list at least one version, or be ["*"]');
  const isEvery = versions.includes('*');
  const problem = [
    ...(fileProblem === null ? [] : [fileProblem]),
    ...(stated === name ? [] : ['entries.package: begins with @@, which was read as @']),
    ...(isEvery && versions.length > 1
      ? ['entries.versions: has * among other versions; all versions count as affected']
      : []),
  ][0];
  const summary = cleanLine(entry.name, 300) || id;
  const time = timeOf(entry.modified) ?? timeOf(entry.published) ?? dayIn(id) ?? fileTime;
  return rowOf({
    id,
    source: CATALOGUE_SOURCE,
    url: webAddressOf(entry.source) ?? webAddressOf(entry.url),
    aliases: listOf(entry.aliases)
      .map((alias) => cleanLine(alias, 128))
      .filter((alias) => alias !== '' && alias !== id),
    summary,
    details: '',
    severity: severityWordOf(entry.severity),
    cvss: null,
    category: 'malware',
    disputed: false,
    publishedAt: timeOf(entry.published) ?? dayIn(id),
    modifiedAt: time,
    withdrawnAt: timeOf(entry.withdrawn),
    problem: problem ?? null,
    packages:
      rules && ecosystem
        ? [
            {
              ecosystem,
              name: rules.normaliseName(name),
              versions: isEvery ? [] : versions,
              intervals: [],
              disputedVersions: [],
            },
          ]
        : [],
  });
}

/** Returns the day in an id such as `mastra-2026-06-17-npm-mastra-core` as a time; null if the id contains no day. */
function dayIn(id: string): string | null {
  const [day] = /\b\d{4}-\d\d-\d\d\b/.exec(id) ?? [];
  return day === undefined ? null : timeOf(`${day}T00:00:00Z`);
}

function isDispute(value: unknown): value is OsvRecord {
  const dispute = objectOf(value);
  if (dispute === null || isOsvRecord(dispute)) return false;
  return ['advisory', 'package', 'stated_at'].every((name) => textOf(dispute[name]) !== null);
}

/**
 * Parses a dispute: an advisory, a package, the versions that are said to be unaffected, the address of the statement,
 * and the reason that it gives.
 */
function parseDispute(value: OsvRecord): ParsedAdvisory {
  const advisoryId = cleanLine(value.advisory, 128);
  const versions = [...new Set(listOf(value.versions).map((each) => cleanLine(each, 200)))].filter(Boolean);
  const url = webAddressOf(value.url);
  const statedAt = timeOf(value.stated_at);
  if (!/^[!-~]+$/.test(advisoryId)) return rejected('advisory: must be the id of a record');
  if (versions.length === 0) return rejected('versions: must list the disputed versions');
  if (url === null) return rejected('url: must be the web address of the statement');
  if (statedAt === null)
    return rejected('stated_at: must be an ISO 8601 time in UTC, such as 2026-11-21T09:30:00Z');
  try {
    const { ecosystem, name } = readPackage(cleanLine(value.package, 512));
    const reason = cleanLine(value.reason, 300);
    const withdrawnAt = timeOf(value.withdrawn_at);
    return {
      kind: 'dispute',
      dispute: { advisoryId, ecosystem, name, versions, reason, url, statedAt, withdrawnAt },
    };
  } catch {
    return rejected('package: must be npm:name or pypi:name');
  }
}
