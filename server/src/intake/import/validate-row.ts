import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { CreatorRow } from '../../catalog/creators/save-creators.ts';
import type { ScorecardRow } from '../../catalog/facts/save-scorecards.ts';
import type { ArtifactRow } from '../../catalog/listing-changes/artifact-statements.ts';
import type { ImportedRow, ListingRow, Rejection } from '../../catalog/listings/listing-row.ts';
import type { RegistryLine } from '../../catalog/packages/registry-entry.fragment.ts';
import type { ReadPackage } from '../../catalog/packages/registry-reading.ts';
import type { AccountRow } from '../../catalog/platform-accounts/write-accounts.ts';
import type { RelationRow } from '../../catalog/relations/save-relations.ts';
import { packageFile } from '../../platform/package-files.ts';
import { isVisible } from '../../platform/text/request-text.ts';
import type { WellKnownRow } from './save-well-known.ts';

/** Kinds of imported rows. */
export const ROW_KINDS = [
  'listing',
  'creator',
  'account',
  'artifact',
  'relation',
  'server',
  'packument',
  'project',
  'scorecard',
  'agent_card',
  'skills_index',
] as const;

export type RowKind = (typeof ROW_KINDS)[number];

interface RowOf {
  listing: ListingRow;
  creator: CreatorRow;
  account: AccountRow;
  artifact: ArtifactRow;
  relation: RelationRow;
  server: RegistryLine;
  packument: ReadPackage;
  project: ReadPackage;
  scorecard: ScorecardRow;
  agent_card: WellKnownRow;
  skills_index: WellKnownRow;
}

/**
 * A row that can be stored. `keys` identify its subject; an import stores only the first of several lines with the same
 * key.
 */
export type Parsed<Kind extends RowKind> = {
  readonly kind: Kind;
  readonly row: RowOf[Kind];
  readonly keys: readonly string[];
};

/** A row of any kind that can be stored. */
export type ParsedRow = { [Kind in RowKind]: Parsed<Kind> }[RowKind];

/** A line that cannot be stored; `kind` is null if it is unknown. */
export interface RejectedRow extends Rejection {
  readonly kind: RowKind | null;
}

/** Rejects a row because of its fields. */
export function rejectRow(kind: RowKind, reason: string): RejectedRow {
  return { kind, code: 'invalid', reason };
}

/** Returns a typed accessor for the fields of a valid row. The accessor returns null for an absent field. */
export function fieldsOf(row: ImportedRow): <Value>(name: string) => Value {
  return <Value>(name: string) => (row[name] ?? null) as Value;
}

/** Trims a text; null if nothing is left. */
export function trimToNull(text: string | null): string | null {
  return text?.trim() || null;
}

/** Trims a display name; null if it has no visible character. */
export function cleanDisplayName(name: string | null): string | null {
  return name !== null && isVisible(name) ? name.trim() : null;
}

// Relaxes checks of the schemas themselves, so that a `$ref` may have a description. Tests check that the schemas are
// valid.
const leniency = { strictTypes: false, strictTuples: false, validateSchema: false };
const ajv = new Ajv2020({ strict: true, ...leniency, allErrors: true, verbose: true });
ajv.addFormat('calendar', isInCalendar);
ajv.addFormat('web-address', isWebAddress);
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  schemaType: 'number',
  validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
});
for (const name of ['fields', ...ROW_KINDS].map((kind) => `${kind}.schema.json`)) {
  const text = readFileSync(packageFile(`schemas/${name}`), 'utf8');
  ajv.addSchema(JSON.parse(text), name);
}

/** Returns how a row violates the schema of its kind, one sentence per field; null if it is valid. */
export function describeViolations(kind: RowKind, row: ImportedRow): string | null {
  if (ajv.validate(`${kind}.schema.json`, row)) return null;
  const problems = new Map<string, string>();
  for (const error of ajv.errors ?? []) {
    const place = error.instancePath.split('/').slice(1).map(unescapePointer);
    const names = place.filter((name) => !/^\d+$/.test(name));
    const missing = error.keyword === 'required' ? [String(error.params.missingProperty)] : [];
    const field = [...names, ...missing].join('.');
    const sentence = sentenceOf(error, names.length < place.length);
    if (sentence !== undefined && !problems.has(field)) problems.set(field, `${field}: ${sentence}`);
  }
  return [...problems.values()].join('; ');
}

/** Decodes one part of a JSON pointer. */
function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function sentenceOf(error: ErrorObject, isItem: boolean): string | undefined {
  const { keyword, data, schema, parentSchema } = error;
  const rule = keyword === 'required' ? parentSchema?.properties[error.params.missingProperty] : parentSchema;
  if (rule.enum) return `must be one of ${rule.enum.filter((choice: unknown) => choice !== null).join(', ')}`;
  const isEmpty = data === null || (typeof data === 'string' && data.trim() === '');
  if (keyword === 'required' || (isEmpty && rule.type === 'string' && !isItem)) return 'is missing';
  if (keyword === 'maxLength') return `longer than ${schema} characters`;
  if (keyword === 'maxBytes') return `longer than ${schema} bytes`;
  return rule.description && `${isItem ? 'each ' : ''}${rule.description}`;
}

/**
 * Checks that a date exists in the calendar (Date.parse turns 30 February into March), from year 1 to 9999 in UTC.
 */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const [midnight = '', moment = ''] = [`${day}T00:00:00Z`, text].map(inUtc);
  return midnight.startsWith(day) && [midnight, moment].every((each) => /^(?!0000)\d{4}-/.test(each));
}

function inUtc(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Returns true for a web address. Control characters, which could hide in the scheme, were rejected earlier. */
function isWebAddress(text: string): boolean {
  return /^ *https?:/i.test(text) && URL.canParse(text);
}
