/** One way in which a source file is broken on purpose. */
export interface Mutant {
  /** From the root of the project. */
  readonly file: string;
  readonly line: number;
  /** What was done, for people. */
  readonly change: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The file's text with the mutant in it. */
export function applied(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
