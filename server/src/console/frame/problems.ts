/** What is wrong with a form that was sent: by the name of a field, or of the form as a whole (``). */
export type Problems = ReadonlyMap<string, string>;

/** Stands for the form as a whole. */
export const WHOLE = '';
/** Nothing is wrong. */
export const NONE: Problems = new Map();

/** Collects what is wrong, the first sentence of each field. */
export class ProblemList {
  readonly problems = new Map<string, string>();

  /** Notes a problem of a field unless the condition holds. */
  require(holds: boolean, field: string, sentence: string): void {
    if (!holds && !this.problems.has(field)) this.problems.set(field, sentence);
  }
}

/** One problem. */
export function problemOf(field: string, sentence: string): Problems {
  return new Map([[field, sentence]]);
}

/** What a form says in a field: one line, without the spaces around it. */
export function lineOf(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** A text that can be stored and shown: well-formed, and without control characters. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
