/** Recognizes statements in the bytes of a connection: a session sends each text once, and later only its name. */
export class StatementRecognizer {
  readonly #texts = new Map<string, string>();

  /** Returns the bytes as text, with the statement's text where they contain only its name. */
  read(bytes: Buffer): string {
    const seen = bytes.toString('latin1');
    // Parse and Bind messages: a letter, four bytes of length; Bind starts with the portal's name, which is always
    // empty.
    for (const [, name = '', statement = ''] of seen.matchAll(/P[\s\S]{4}(td_\w+)\0([^\0]*)\0/g))
      this.#texts.set(name, statement);
    const [, bound = ''] = /B[\s\S]{4}\0(td_\w+)\0/.exec(seen) ?? [];
    return seen + (this.#texts.get(bound) ?? '');
  }
}
