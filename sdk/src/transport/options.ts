import { type CallTrace, ConfigurationError } from '../errors/errors.ts';
import { fromEnvironment } from './environment.ts';
import { type Given, given } from './given.ts';

/** What an option is. */
type Rule = readonly [
  /** The end of a sentence. It must name the type, as `typeof` does. */
  what: string,
  /** What it looks like as a text; of an object, each `name=value` in it. */
  looks?: Pick<RegExp, 'test'> | undefined,
  /** What a client has where nothing is given. */
  fallback?: unknown,
  /** The end of the environment variable's name that goes before the fallback. */
  variable?: string,
];

/** What may be given, by name. */
export type Rules = Readonly<Record<string, Rule>>;

/**
 * The options that were given, and for a client also the defaults of the others; `undefined` counts as left out. Throws a
 * {@link ConfigurationError} that names the option that doesn't exist or can't be used, and never shows its value.
 */
export function readOptions<Options extends object>(
  options: Options | undefined,
  rules: Rules,
  trace?: CallTrace,
): Given<Options> {
  const read: Record<string, unknown> = Object.fromEntries(given(options));
  const known = Object.keys(rules);
  for (const name in { ...rules, ...read }) {
    if (!known.includes(name))
      throw new ConfigurationError(`There is no option ${name}, only ${known.join(', ')}.`, trace);
    const [what, looks, fallback, variable] = rules[name] as Rule;
    const fullName = `TRUST_DIRECTORY_${variable}`;
    // A call uses its client's options for those.
    if (!trace && !(name in read)) {
      const text = fromEnvironment(fullName);
      // The text becomes a boolean or a number if the fallback is one.
      read[name] = text ? fallback === false || (fallback ? +text : text) : fallback;
    }
    const value = read[name];
    // An empty value has no useful type: the sentence must name null, 0, false or NaN itself.
    const type = (value && typeof value) as string;
    const isFit =
      what.includes(type) &&
      (type === 'function' ||
        (type === 'object' ? given(value) : [[value]]).every((member) =>
          looks ? looks.test(member.join('=')) : what.includes(member[0] as string),
        ));
    if (value !== undefined && !isFit)
      throw new ConfigurationError(`${name}${variable ? ` (or ${fullName})` : ''} must be ${what}.`, trace);
  }
  return read as Given<Options>;
}
