/**
 * A word from a list that may grow: the known words complete in an editor, any other string is accepted. Give every
 * `switch` over one a `default` branch.
 */
export type Open<Word extends string> = Word | (string & Record<never, never>);
