import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { ROW_KINDS, type RowKind } from './row-kinds.ts';

// A shared definition with a word beside it is no fault, and that the schemas are schemas is for their tests to see.
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
  // The built server lies as deep in the package as src/import.
  const text = readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8');
  ajv.addSchema(JSON.parse(text), name);
}

/** What the published schema of its kind has against a row, one sentence a field; null where it has nothing. */
export function problemsOf(kind: RowKind, row: ImportedRow): string | null {
  if (ajv.validate(`${kind}.schema.json`, row)) return null;
  const problems = new Map<string, string>();
  for (const error of ajv.errors ?? []) {
    const [, name, item] = error.instancePath.split('/');
    const field = name ?? String(error.params.missingProperty);
    const sentence = sentenceOf(error, item !== undefined);
    if (sentence !== undefined && !problems.has(field)) problems.set(field, `${field}: ${sentence}`);
  }
  return [...problems.values()].join('; ');
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

/** A day that is in the calendar (Date.parse moves 30 February into March), from the year 1 to 9999 in UTC. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  const [midnight = '', moment = ''] = [`${day}T00:00:00Z`, text].map(inUtc);
  return midnight.startsWith(day) && [midnight, moment].every((each) => /^(?!0000)\d{4}-/.test(each));
}

function inUtc(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** No control character is left by now that could stand inside the scheme of an address. */
function isWebAddress(text: string): boolean {
  return /^ *https?:/i.test(text) && URL.canParse(text);
}
