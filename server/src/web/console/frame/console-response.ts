import type { Readable } from 'node:stream';
import type { ComponentChildren } from 'preact';

/** Problems of a submitted form, by field name. The key WHOLE_FORM has those of the form as a whole. */
export type Problems = ReadonlyMap<string, string>;

/** Key of problems with the whole form. */
export const WHOLE_FORM = '';

/** Empty set of problems. */
export const NO_PROBLEMS: Problems = new Map();

/** Collects problems, at most one for each field. */
export class ProblemList {
  readonly problems = new Map<string, string>();

  /** Records a problem of a field unless the condition holds. */
  require(holds: boolean, field: string, sentence: string): void {
    if (!holds && !this.problems.has(field)) this.problems.set(field, sentence);
  }
}

/** Returns a set with one problem. */
export function singleProblem(field: string, sentence: string): Problems {
  return new Map([[field, sentence]]);
}

/** Reads a field of a form as a single trimmed line. */
export function readLine(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Returns true if a text is well-formed and has no control characters, so that it can be stored and shown. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}

/** Entries of the console's navigation. */
export type Tab =
  | 'overview'
  | 'run'
  | 'usage'
  | 'receipts'
  | 'keys'
  | 'agents'
  | 'identity'
  | 'children'
  | 'plan'
  | 'session';

/** Page to show in the console's layout. */
export interface Page {
  title: string;
  /** Entry of the page in the navigation; null for none. */
  tab: Tab | null;
  content: ComponentChildren;
  /** HTTP status, 200 by default; other values for a rejected form. */
  status?: number;
}

/** Redirect after a form was processed, so that a reload does not submit it again. */
interface Redirect {
  redirectTo: string;
  /** Clears the browser's session cookie. */
  endsSession?: true;
}

/** File for the browser to download. */
interface Download {
  fileName: string;
  mediaType: string;
  file: Readable;
}

/** Result of a request to the console. */
export type ConsoleResponse = Page | Redirect | Download;
