/** Recognises statements on a line to the database: a session sends each whole once, and later by its name alone. */
export class StatementsOnLine {
  readonly #texts = new Map<string, string>();

  /** The bytes as text, with the whole statement where they only name it. */
  read(bytes: Buffer): string {
    const seen = bytes.toString('latin1');
    // Parse and Bind: a letter, four bytes of length; Bind names its portal first, which is always the unnamed one.
    for (const [, name = '', statement = ''] of seen.matchAll(/P[\s\S]{4}(td_\w+)\0([^\0]*)\0/g))
      this.#texts.set(name, statement);
    const [, bound = ''] = /B[\s\S]{4}\0(td_\w+)\0/.exec(seen) ?? [];
    return seen + (this.#texts.get(bound) ?? '');
  }
}
