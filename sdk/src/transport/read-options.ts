import { ConfigurationError } from '../errors/errors.ts';

interface RuntimeGlobals {
  process?: { env?: Record<string, string | undefined> };
}

/** Rule for one option. */
type OptionRule = readonly [
  /**
   * Text that follows "must be" in an error message. It must contain the accepted types (names of `typeof`) and
   * accepted words, because it is also used for the check.
   */
  description: string,
  /**
   * Pattern for the value as text. For an object or pairs, it must match each name and value, joined by a line break.
   */
  pattern?: Pick<RegExp, 'test'> | undefined,
  /** Default of a client. */
  fallback?: unknown,
  /**
   * Name of the environment variable that takes precedence over the default, without the prefix `TRUST_DIRECTORY_` and
   * in lower case, which compresses better.
   */
  variable?: string,
];

/** Rules of the accepted options, by name. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/**
 * Returns the given options. For a client, not for a call, it adds values of the environment and defaults. `undefined`
 * counts as omitted. Throws a {@link ConfigurationError} that names an unknown or invalid option, but never its value,
 * which may be a key.
 */
export function readOptions<Options extends object>(
  options: Options | undefined,
  rules: OptionRules,
  isCall?: boolean,
): Defined<Options> {
  const read: Record<string, unknown> = Object.fromEntries(definedEntries(options));
  const known = Object.keys(rules);
  for (const name in { ...rules, ...read }) {
    if (!known.includes(name))
      throw new ConfigurationError(`Unknown option ${name}; use ${known.join(', ')}.`);
    const [description, pattern, fallback, variable] = rules[name] as OptionRule;
    const fullName = `trust_directory_${variable}`.toUpperCase();
    // A call inherits missing options from its client.
    if (!isCall && !(name in read)) {
      let text: string | undefined;
      try {
        text = (globalThis as RuntimeGlobals).process?.env?.[fullName];
      } catch {} // Deno throws where reading the environment is not allowed.
      // Converts the text to the type of the default: boolean, number or string.
      read[name] = text ? fallback === false || (fallback ? +text : text) : fallback;
    }
    const value = read[name];
    // `typeof null` is `object`, so `type` is the value itself if the value is falsy (null, 0, false, NaN). Such a
    // value is allowed only if the description contains its text.
    const type = (value && typeof value) as string;
    const isFit =
      description.includes(type) &&
      (type === 'function' ||
        (type === 'object' ? definedEntries(value) : [[value]]).every((member) =>
          // A list member that is not a pair has no `join`, or its text has more than one line break.
          pattern
            ? pattern.test((member as unknown[] | null)?.join?.('\n') as string)
            : description.includes(member[0] as string),
        ));
    if (value !== undefined && !isFit)
      throw new ConfigurationError(`${name}${variable ? ` or ${fullName}` : ''} must be ${description}.`);
  }
  return read as Defined<Options>;
}

/** Object type whose members may be absent, but are never `undefined`. */
export type Defined<Value> = { [Name in keyof Value]?: Exclude<Value[Name], undefined> };

/**
 * Returns the entries of an object whose values are not `undefined`, or the members of a list of pairs, such as
 * `Headers`.
 */
export const definedEntries = (value: unknown): unknown[][] =>
  (value as unknown[][])?.forEach
    ? [...(value as unknown[][])]
    : Object.entries(value ?? {}).filter(([, member]) => member !== undefined);
