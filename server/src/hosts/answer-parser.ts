import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { HostFailure } from './host-account.ts';

// Ajv rejects NaN and infinities as numbers. Unlisted members are ignored, because hosts add some. Tests check that
// the schemas are valid. Each schema is compiled on first use, which most processes never reach.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false });

/** Infers the TypeScript type of values that match a schema, for the keywords used here. */
type ValueOf<Schema> = Schema extends { anyOf: readonly (infer Each)[] }
  ? ValueOf<Each>
  : Schema extends { type: readonly (infer Type)[] }
    ? Type extends 'null'
      ? null
      : ValueOf<Omit<Schema, 'type'> & { type: Type }>
    : Schema extends { type: 'null' }
      ? null
      : Schema extends { type: 'string' }
        ? string
        : Schema extends { type: 'number' | 'integer' }
          ? number
          : Schema extends { type: 'boolean' }
            ? boolean
            : Schema extends { type: 'array'; items: infer Item }
              ? ValueOf<Item>[]
              : Schema extends { properties: infer Members; required: readonly (infer Name)[] }
                ? { [Key in keyof Members & Name]: ValueOf<Members[Key]> } & {
                    [Key in Exclude<keyof Members, Name>]?: ValueOf<Members[Key]>;
                  }
                : Schema extends { properties: infer Members }
                  ? { [Key in keyof Members]?: ValueOf<Members[Key]> }
                  : unknown;

/**
 * Creates a parser for one kind of JSON answer. The parser returns the value if it matches the schema; otherwise it
 * throws a HostFailure `unusable`.
 */
export function createAnswerParser<const Schema extends AnySchemaObject>(
  schema: Schema,
): (body: string, host: string) => ValueOf<Schema> {
  const check = createAnswerCheck(schema);
  return (body, host) => check(parseJson(body), host);
}

/** Creates a function that checks parsed JSON by a schema. It returns the value, or throws HostFailure `unusable`. */
export function createAnswerCheck<const Schema extends AnySchemaObject>(
  schema: Schema,
): (value: unknown, host: string) => ValueOf<Schema> {
  return (value, host) => {
    if (!ajv.validate(schema, value)) {
      throw new HostFailure('unusable', `${host} gave an undocumented answer.`);
    }
    return value as ValueOf<Schema>;
  };
}

/** Parses JSON; returns undefined if the text is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Creates the schema of a member that may be absent or null. */
export const optionalSchema = <const Type extends 'string' | 'number' | 'boolean'>(type: Type) =>
  ({ type: [type, 'null'] }) as const;
/** Schema of a list of strings that may be absent or null. */
export const OPTIONAL_STRINGS = { type: ['array', 'null'], items: { type: 'string' } } as const;
/** Schema of an id: a number on some hosts, a string on others. */
export const ID_SCHEMA = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', minLength: 1, maxLength: 200 },
  ],
} as const;
