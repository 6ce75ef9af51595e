/** One way in which a source file is broken on purpose. */
export interface Mutant {
  /** Path from the root of the project. */
  readonly file: string;
  readonly line: number;
  /** Description of the change for people. */
  readonly change: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Returns the file's text with the mutant in it. */
export function applied(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
