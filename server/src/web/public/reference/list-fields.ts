/** The parts of an OpenAPI schema that the documentation reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}
export type Schemas = Readonly<Record<string, Schema>>;

/** One field of a body; `name` is its path, such as `data[].creator.handle`. */
export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string;
  /** Allowed values, range or length, format and default, as texts. */
  limits: string[];
}

/** Maximum depth to which nested fields are listed, so that the list of a recursive schema ends. */
const MAX_DEPTH = 6;

/** Lists the fields of a schema, each followed by its nested fields. */
export function listFields(schema: Schema, schemas: Schemas): Field[] {
  return membersOf(schema, schemas, '', MAX_DEPTH);
}

function membersOf(schema: Schema, schemas: Schemas, prefix: string, depth: number): Field[] {
  const { properties = {}, required = [], items } = flattenSchema(schema, schemas);
  if (depth === 0) return [];
  if (items) return membersOf(items, schemas, `${prefix}[]`, depth - 1);
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const whole = flattenSchema(member, schemas);
    const field = {
      name,
      type: typeOf(member, schemas),
      required: required.includes(key),
      description: whole.description ?? '',
      limits: limitsOf(whole.items ? flattenSchema(whole.items, schemas) : whole, whole),
    };
    return [field, ...membersOf(member, schemas, name, depth - 1)];
  });
}

/** Returns a schema into which its `$ref`, `allOf`, `oneOf` and `anyOf` are merged. Ignores alternatives of type null. */
function flattenSchema(schema: Schema, schemas: Schemas): Schema {
  const { $ref, allOf = [], oneOf = [], anyOf = [], ...own } = schema;
  const target = $ref === undefined ? [] : [schemas[$ref.split('/').pop() ?? ''] ?? {}];
  const all = [...target, ...allOf].map((each) => flattenSchema(each, schemas));
  const choices = [...oneOf, ...anyOf]
    .map((each) => flattenSchema(each, schemas))
    .filter(({ type }) => type !== 'null');
  const merged = [...all, own].reduce<Schema>(mergeSchemas, {});
  return choices.length === 0 ? merged : mergeSchemas(mergeAlternatives(choices), merged);
}

function mergeSchemas(first: Schema, second: Schema): Schema {
  return {
    ...first,
    ...second,
    properties: { ...first.properties, ...second.properties },
    required: [...new Set([...(first.required ?? []), ...(second.required ?? [])])],
  };
}

/** Merges alternatives. The result has the properties of all; a property is required only if every alternative requires it. */
function mergeAlternatives(choices: readonly Schema[]): Schema {
  const [first = {}, ...others] = choices;
  const required = (first.required ?? []).filter((name) =>
    others.every((each) => each.required?.includes(name)),
  );
  const joined = choices.reduce<Schema>((all, each) => mergeProperties(all, each), {});
  return { ...joined, required };
}

function mergeProperties(all: Schema, next: Schema): Schema {
  const names = Object.keys(next.properties ?? {});
  const properties = { ...all.properties };
  for (const name of names) {
    const [known, other] = [properties[name], next.properties?.[name] ?? {}];
    properties[name] = known === undefined ? other : mergeProperty(known, other);
  }
  return { ...all, ...next, description: all.description ?? next.description ?? '', properties };
}

function mergeProperty(known: Schema, other: Schema): Schema {
  if (JSON.stringify(known) === JSON.stringify(other)) return known;
  const values = [known, other].flatMap(
    (each) => each.enum ?? (each.const === undefined ? [null] : [each.const]),
  );
  if (!values.includes(null)) return { ...known, const: undefined, enum: [...new Set(values)] };
  return { oneOf: [known, other] };
}

/** Returns the type as text, such as `string`, `number or null`, `object[]`. */
function typeOf(schema: Schema, schemas: Schemas): string {
  const { $ref, oneOf, anyOf } = schema;
  if ($ref !== undefined) return typeOf(schemas[$ref.split('/').pop() ?? ''] ?? {}, schemas);
  const choices = oneOf ?? anyOf;
  if (choices)
    return [...new Set(choices.flatMap((each) => typeOf(each, schemas).split(' or ')))].join(' or ');
  const { type, items, properties, ...whole } = flattenSchema(schema, schemas);
  if (type === 'array' && items) return `${typeOf(items, schemas).replaceAll(' or ', ' | ')}[]`;
  if (type !== undefined) return [type].flat().join(' or ');
  const value = whole.const ?? whole.enum?.[0];
  return value === undefined ? (Object.keys(properties ?? {}).length > 0 ? 'object' : 'any') : typeof value;
}

function limitsOf(value: Schema, list: Schema): string[] {
  const { minimum, maximum, minLength, maxLength, format } = value;
  const words = value.const === undefined ? value.enum?.filter((each) => each !== null) : [value.const];
  const isEither = words?.includes(true) && words.includes(false);
  return [
    ...(words && !isEither ? [words.map((word) => `\`${word}\``).join(', ')] : []),
    ...range(minimum, maximum, ''),
    ...(format === undefined ? range(minLength, maxLength, ' characters') : []),
    ...(list.maxItems === undefined ? [] : [`at most ${list.maxItems} entries`]),
    ...(format === undefined ? [] : [format]),
    ...(value.default === undefined ? [] : [`default \`${value.default}\``]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
}
