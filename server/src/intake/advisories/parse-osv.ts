import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { intervalsOf, type RangeEvent, versionsOutside } from '../../catalog/advisories/affected-versions.ts';
import { ECOSYSTEM_RULES, ecosystemNamed } from '../../catalog/advisories/ecosystems.ts';
import type { AdvisoryRow, AffectedPackage } from '../../catalog/advisories/save-advisories.ts';
import type { Rejection } from '../../catalog/listings/listing-row.ts';
import { packageFile } from '../../platform/package-files.ts';
import {
  addressOf,
  categoryOf,
  cleanLine,
  cleanText,
  disputedVersionsOf,
  isDisputed,
  listOf,
  type OsvRecord,
  objectOf,
  objectsAmong,
  severityOf,
  sourceOf,
  textOf,
  timeOf,
} from './osv-fields.ts';

/** Result of parsing a record: its row, or why there is none. */
export type ParsedOsv =
  /** The row has no packages if the record names none, or only packages of other registries. */
  { readonly kind: 'advisory'; readonly row: AdvisoryRow } | ({ readonly kind: 'rejected' } & Rejection);

const MAX_SUMMARY = 300;
const MAX_DETAILS = 4_000;
const MAX_ALIASES = 100;

/** Returns true if a parsed JSON value has the shape of an OSV record. */
export function isOsvRecord(value: unknown): value is OsvRecord {
  const record = objectOf(value);
  if (record === null || textOf(record.id) === null || textOf(record.modified) === null) return false;
  return ['schema_version', 'affected', 'withdrawn', 'published'].some((name) => Object.hasOwn(record, name));
}

/**
 * Parses the text of an OSV record. A record that breaks the published schema is read as far as possible, and its row
 * says how it breaks the schema. Never throws.
 */
export function parseOsv(text: string): ParsedOsv {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { kind: 'rejected', code: 'unreadable', reason: 'not valid JSON' };
  }
  return parseOsvRecord(record);
}

/** Parses an OSV record from a JSON value; otherwise like `parseOsv`. */
export function parseOsvRecord(record: unknown): ParsedOsv {
  if (!isOsvRecord(record)) {
    return {
      kind: 'rejected',
      code: 'unknown_kind',
      reason: 'not an OSV record: id and modified are needed',
    };
  }
  return parseRecord(record);
}

function parseRecord(record: OsvRecord): ParsedOsv {
  const id = cleanLine(record.id, 128);
  const modifiedAt = timeOf(record.modified);
  if (!/^[!-~]+$/.test(id)) return rejected('id: must be printable ASCII characters without spaces');
  if (modifiedAt === null) return rejected('modified: must be a time in UTC, such as 2026-11-21T09:30:00Z');
  const affected = objectsAmong(listOf(record.affected));
  const parsed = affected.map((each) => parseAffected(each, record));
  const packages = parsed.flatMap(({ stored }) => stored ?? []);
  const [problem = null] = [
    ...parsed.flatMap((each) => each.problem ?? []),
    describeSchemaProblem({ ...record, id }) ?? [],
  ].flat();
  if (packages.length === 0 && problem !== null && parsed.some((each) => each.problem))
    return rejected(problem);
  const details = cleanText(record.details, MAX_DETAILS);
  return rowOf({
    id,
    source: sourceOf(id),
    url: addressOf(record, id),
    aliases: aliasesOf(record, id),
    summary: summaryOf(record, details, id),
    details,
    ...severityOf(record, affected),
    category: categoryOf(record, id),
    disputed: isDisputed(record, affected),
    publishedAt: timeOf(record.published),
    modifiedAt,
    withdrawnAt: timeOf(record.withdrawn),
    problem,
    packages,
  });
}

/** Returns the result for a row, which it completes by the hash of the row's content. */
export function rowOf(fields: Omit<AdvisoryRow, 'contentHash'>): ParsedOsv {
  const contentHash = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
  return { kind: 'advisory', row: { ...fields, contentHash } };
}

/** Returns the rejection of a record that has an invalid member. */
export function rejected(reason: string): ParsedOsv {
  return { kind: 'rejected', code: 'invalid', reason };
}

function aliasesOf(record: OsvRecord, id: string): string[] {
  const names = listOf(record.aliases).map((alias) => cleanLine(alias, 128));
  return [...new Set(names)].filter((name) => name !== '' && name !== id).slice(0, MAX_ALIASES);
}

function summaryOf(record: OsvRecord, details: string, id: string): string {
  const [firstLine = ''] = details.split('\n', 1);
  return cleanLine(record.summary, MAX_SUMMARY) || cleanLine(firstLine, MAX_SUMMARY) || id;
}

interface ParsedAffected {
  readonly stored: AffectedPackage | null;
  readonly problem: string | null;
}

/** Parses an entry of `affected`. Commit ranges are skipped, because a package's version does not name its commit. */
function parseAffected(affected: OsvRecord, record: OsvRecord): ParsedAffected {
  const named = objectOf(affected.package);
  const ecosystem = ecosystemNamed(cleanLine(named?.ecosystem, 64));
  if (ecosystem === null) return { stored: null, problem: null };
  const rules = ECOSYSTEM_RULES[ecosystem];
  const name = cleanLine(named?.name, 256);
  if (!rules.isName(name)) {
    return { stored: null, problem: `affected.package.name: is no package name of ${rules.osvName}` };
  }
  const ranges = objectsAmong(listOf(affected.ranges));
  const ofVersions = ranges.filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM');
  const versions = [...new Set(listOf(affected.versions).map((each) => cleanLine(each, 200)))].filter(
    Boolean,
  );
  if (ofVersions.length === 0 && ranges.length > 0 && versions.length === 0) {
    return { stored: null, problem: 'affected.ranges: has commits only, no versions' };
  }
  const read = ofVersions.map(({ events }) => intervalsOf(ecosystem, listOf(events).flatMap(eventOf)));
  const isUnreadable = read.includes(null);
  const problem = isUnreadable
    ? `affected.ranges.events: has a version that ${rules.osvName} could not have; all versions count as affected`
    : null;
  const intervals = isUnreadable ? [WHOLE_PACKAGE] : read.filter((each) => each !== null).flat();
  const outside = versionsOutside(ecosystem, versions, intervals);
  const disputedVersions = disputedVersionsOf(record, affected, versions);
  const stored = {
    ecosystem,
    name: rules.normaliseName(name),
    versions: outside,
    intervals,
    disputedVersions,
  };
  return { stored, problem };
}

/**
 * Interval for a range whose versions cannot be read. It covers every version, because a false warning is better than a
 * missed one.
 */
const WHOLE_PACKAGE = { from: null, before: null, through: null };

function eventOf(value: unknown): RangeEvent[] {
  const event = objectOf(value);
  if (event === null) return [];
  const members = Object.entries(event).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return [Object.fromEntries(members)];
}

let validator: ValidateFunction | null = null;

/** Compiles the published schema once, at the first OSV record: most imports have no OSV records. */
function validatorOf(): ValidateFunction {
  if (validator === null) {
    const schema = JSON.parse(readFileSync(packageFile('schemas/osv.schema.json'), 'utf8')) as object;
    // Reports the first violation only. Formats are left to the parser, which reads times itself.
    validator = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  }
  return validator;
}

/** Returns how a record breaks the published schema of OSV, in one short sentence; null if it follows the schema. */
function describeSchemaProblem(record: { readonly id: string }): string | null {
  const { id } = record;
  const validate = validatorOf();
  if (validate(record)) return null;
  const [error] = validate.errors ?? [];
  return error ? sentenceOf(error, id) : null;
}

function sentenceOf({ instancePath, keyword, params, message }: ErrorObject, id: string): string {
  if (instancePath === '/id') {
    const [prefix = ''] = /^[A-Za-z_]*-?/.exec(id) ?? [];
    return `id: the prefix ${prefix} is not registered in the published schema`;
  }
  // Indexes of lists are left out, so that the same mistake in many records is counted as one.
  const place = instancePath
    .split('/')
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .join('.');
  if (keyword === 'required')
    return `${[place, params.missingProperty].filter(Boolean).join('.')}: is missing`;
  return `${place || 'record'}: ${message ?? keyword}`.slice(0, 200);
}
