import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { HostFailure } from './host-failure.ts';

// Ajv takes NaN and the infinities for no numbers. Members that a schema does not name are ignored: hosts add some. That the
// schemas are schemas is for their tests to see; each is compiled when it is first read by, which most processes never do.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false });

/** The type of what a schema takes, of the keywords that are used here: the shape of an answer is said once. */
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

/** Makes a reader of one kind of JSON answer: it gives the value where it has the shape, else a HostFailure `unusable`. */
export function answerReader<const Schema extends AnySchemaObject>(
  schema: Schema,
): (body: string, host: string) => ValueOf<Schema> {
  return (body, host) => {
    const value = parse(body);
    if (!ajv.validate(schema, value)) {
      throw new HostFailure('unusable', `${host} answered in a form that it does not document.`);
    }
    return value as ValueOf<Schema>;
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Schema of a member that may be absent or null. */
export const optional = <const Type extends 'string' | 'number' | 'boolean'>(type: Type) =>
  ({ type: [type, 'null'] }) as const;
/** Schema of a list of texts that may be absent or null. */
export const OPTIONAL_TEXTS = { type: ['array', 'null'], items: { type: 'string' } } as const;
/** Schema of an id: hosts number things, or name them. */
export const ID = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', minLength: 1, maxLength: 200 },
  ],
} as const;
