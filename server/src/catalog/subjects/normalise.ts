const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;
/** Maximum bytes (not characters) of an alias: a PostgreSQL index row holds at most 2,704 bytes. */
const MAX_ALIAS_BYTES = 1024;

/**
 * Lower-cases a text. `toLowerCase` turns a capital sigma into `ς` at the end of a word and into `σ` elsewhere,
 * depending on the next character. This function always uses `σ`.
 */
export function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * Normalises a text. Compatibility forms (full-width `／`, ligatures) become plain, invisible characters are removed,
 * letters become lower case, and runs of white space become one space. Search for `/`, `:`, `#` and `@` only after
 * normalising.
 */
export function normaliseText(text: string): string {
  return lowerCase(text.normalize('NFKC').replace(IGNORABLE, '')).replace(/\s+/gu, ' ').trim();
}

/**
 * Returns true if the alias table accepts the text: it is not empty, has no control characters or lone surrogates, and
 * takes at most 1,024 bytes.
 */
export function isValidAlias(text: string): boolean {
  return text !== '' && !CONTROL.test(text) && Buffer.byteLength(text) <= MAX_ALIAS_BYTES;
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const AGENT_ID = /^agt-[0-9a-z]{8}$/i;

/** Normalises a PyPI name (PEP 503): lower case, runs of `-`, `_`, `.` become one `-`. */
export function normalisePypiName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[-_.]+/g, '-');
}
