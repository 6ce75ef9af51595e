/** One environment variable: what the documents say of it, and how its text becomes a value. */
export interface Variable<Value> {
  /** The default as the documents show it; empty where there is none. */
  readonly fallback: string;
  /** One sentence for the operator. */
  readonly meaning: string;
  /** What `parse` accepts, in words that end "must be …". */
  readonly allowed: string;
  /** True where the value may hold a password or token: no problem text repeats it. */
  readonly secret: boolean;
  /** The value when the variable is unset or empty. */
  readonly unset: Value;
  /** The value, or undefined when the text is not allowed. */
  parse(text: string): Value | undefined;
}

/** How a kind of value is read. */
export interface Kind<Value> {
  readonly allowed: string;
  parse(text: string): Value | undefined;
}

/** A variable with a default, which is read like any other value. */
export function withDefault<Value>(kind: Kind<Value>, fallback: string, meaning: string): Variable<Value> {
  const unset = kind.parse(fallback);
  if (unset === undefined) throw new Error(`the default ${fallback} is not allowed itself`);
  return { ...kind, fallback, meaning, secret: false, unset };
}

/** A variable that may be absent (null); `shown` tells the reader what happens then. */
export function orAbsent<Value>(
  kind: Kind<Value>,
  meaning: string,
  options: { shown?: string; secret?: boolean } = {},
): Variable<Value | null> {
  return { ...kind, fallback: options.shown ?? '', meaning, secret: options.secret ?? false, unset: null };
}
