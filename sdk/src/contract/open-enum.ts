/**
 * A string enum that may gain values: editors complete the known values, and the compiler accepts any string. Give
 * every `switch` on it a `default` branch.
 */
export type Open<Word extends string> = Word | (string & Record<never, never>);

/** Replaces every string enum within a type by its {@link Open} form, at any depth. */
export type Opened<Value> = Value extends string
  ? string extends Value
    ? Value
    : Open<Value>
  : Value extends readonly (infer Item)[]
    ? Opened<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Opened<Value[Name]> }
      : Value;
