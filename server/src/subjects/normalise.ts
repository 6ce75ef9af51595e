const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;
/** PostgreSQL's index takes at most 2,704 bytes of a row; a label is bytes, not characters, for its sake. */
const LABEL_BYTES = 1024;

/**
 * A text without case. A capital sigma becomes `ς` at the end of a word and `σ` elsewhere, so that what stands beside a
 * name would decide how it is spelt: here it is always `σ`.
 */
export function lowerCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}

/**
 * One spelling per text: compatibility forms (full-width `／`, ligatures) become plain, invisible characters vanish,
 * case and runs of white space do not count. Checks for `/`, `:`, `#`, `@` come after it, never before.
 */
export function normaliseText(text: string): string {
  return lowerCase(text.normalize('NFKC').replace(IGNORABLE, '')).replace(/\s+/gu, ' ').trim();
}

/** True for a label the alias table can hold: not empty, no control character or lone surrogate, at most 1,024 bytes. */
export function isLabel(text: string): boolean {
  return text !== '' && !CONTROL.test(text) && Buffer.byteLength(text) <= LABEL_BYTES;
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const AGENT_ID = /^agt-[0-9a-z]{8}$/i;

/** PEP 503: case and runs of `-`, `_`, `.` do not count. */
export function normalisePypiName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[-_.]+/g, '-');
}
