import fc from 'fast-check';
import { FULL_PATTERNS } from '../../server/src/platform/http/contract/validation.ts';
import { problemsOfValue } from '../answers/check-answer.ts';
import { at } from '../contract-examples.ts';

/** Values that exist on the tested server, by the name of the field or parameter. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Checks whether a value fits the schema at a pointer. */
export function fits(schema: string, value: unknown): boolean {
  try {
    return problemsOfValue('', schema, value).length === 0;
  } catch (error) {
    // The validator compares objects of a list by their `valueOf`, which fails if they have a field of that name. The
    // contract has no list of such objects.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Generates values that fit a schema; a field with known values often gets one of them. */
export function validValues(pointer: string, known: KnownValues = {}, name = ''): fc.Arbitrary<unknown> {
  const any = anyValue(pointer, known).filter((value) => fits(pointer, value));
  const meant = (known[name] ?? []).filter((value) => fits(pointer, value));
  return meant.length > 0
    ? fc.oneof({ arbitrary: fc.constantFrom(...meant), weight: 3 }, { arbitrary: any, weight: 1 })
    : any;
}

function anyValue(pointer: string, known: KnownValues): fc.Arbitrary<unknown> {
  const found = at(pointer);
  const schema = found.node as Schema;
  if (Array.isArray(schema.type))
    return fc.oneof(
      ...schema.type.map((type: string) => singleTypeValue({ ...schema, type }, found.pointer, known)),
    );
  return singleTypeValue(schema, found.pointer, known);
}

/** Generates values of a schema that has one type. */
function singleTypeValue(schema: Schema, pointer: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.allOf?.length === 1) return anyValue(`${pointer}/allOf/0`, known);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 - 1 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return anyText(schema);
    case 'array':
      return fc.array(validValues(`${pointer}/items`), { maxLength: schema.maxItems ?? 5 });
    case 'object':
      return anyObject(pointer, schema, known);
    default:
      throw new Error(`${pointer}: nothing generates values of type ${schema.type}`);
  }
}

/** Path segments that no client can send, because URLs resolve them. */
const PATH_STEPS = new Set(['.', '..']);

function anyText({ format, pattern }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return anyMoment().map((moment) => moment.toISOString());
  if (pattern !== undefined && !Object.hasOwn(FULL_PATTERNS, pattern)) {
    return fc.stringMatching(new RegExp(pattern, 'u')).filter((text) => !PATH_STEPS.has(text));
  }
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 280 }),
  );
}

/** Generates dates from 1970 to the year 9999. */
function anyMoment(): fc.Arbitrary<Date> {
  return fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
}

function anyObject(pointer: string, { properties = {}, required = [] }: Schema, known: KnownValues) {
  const members = Object.keys(properties).map(
    (name) => [name, validValues(`${pointer}/properties/${name}`, known, name)] as const,
  );
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required] });
}
