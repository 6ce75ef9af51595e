import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import { isVisible, withoutBidiControls } from '../platform/text/request-text.ts';
import { HostFailure } from './host-account.ts';

// Ajv rejects NaN and infinities as numbers. Unlisted members are ignored, because hosts add some. Only tests check
// that the schemas are valid. Each schema is compiled on first use, because most processes use none.
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

/**
 * Normalises a host's text for storage: replaces control characters and white space by single spaces, and lone
 * surrogates by U+FFFD; trims and truncates. Returns null for a missing or empty text.
 */
export function cleanText(text: string | null | undefined, maxLength: number): string | null {
  const plain = (text ?? '').toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ');
  const cut = [...plain.trim()].slice(0, maxLength).join('').trim();
  return cut === '' ? null : cut;
}

/** Normalises a name like `cleanText` and removes bidirectional controls. Returns null if nothing visible remains. */
export function cleanName(text: string | null | undefined, maxLength: number): string | null {
  const name = cleanText(withoutBidiControls(text ?? ''), maxLength);
  return name !== null && isVisible(name) ? name : null;
}

/** Returns a non-negative integer; null for anything else. */
export function cleanCount(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;
}

/** Returns a time as ISO 8601 UTC; null if it is invalid, before 1970 or after 9999. */
export function cleanTime(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return time >= 0 && time < Date.UTC(10_000, 0) ? new Date(time).toISOString() : null;
}

/** Returns an http or https URL, truncated to 2,048 characters; null for anything else. */
export function cleanUrl(text: string | null | undefined): string | null {
  const address = cleanText(text, 2_048);
  if (address === null || !URL.canParse(address)) return null;
  return ['http:', 'https:'].includes(new URL(address).protocol) ? address : null;
}

/** Maximum characters of an HTML text that `textOfHtml` reads. */
const PROFILE_LENGTH = 65_536;

/**
 * Extracts the text from the beginning of an HTML page, to search it for a code. Replaces tags by spaces, and decodes
 * the five basic entities.
 */
export function textOfHtml(html: string): string {
  return html
    .slice(0, PROFILE_LENGTH)
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:#39|apos);/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** Extracts the first 20 different URLs in a text. */
export function linksIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"']{1,500}/g) ?? [];
  return [...new Set(found)].slice(0, 20);
}
