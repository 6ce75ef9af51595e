/**
 * A word from a list that may grow: the known words complete in an editor, any other string is accepted. Give every
 * `switch` on such a word a `default` branch.
 */
export type Open<Word extends string> = Word | (string & Record<never, never>);

/** An answer's type, with each of its words {@link Open}, however deep. */
export type Opened<Value> = Value extends string
  ? string extends Value
    ? Value
    : Open<Value>
  : Value extends readonly (infer Item)[]
    ? Opened<Item>[]
    : Value extends object
      ? { [Name in keyof Value]: Opened<Value[Name]> }
      : Value;
