import type { Page } from './text/layout.ts';
import { painter, wantsColour } from './text/paint.ts';
import { safeJson, safeValue } from './text/safe-text.ts';

/** What the program needs to know of a stream that it prints to. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Where a command prints. */
export interface Output {
  readonly isJson: boolean;
  /**
   * Prints a result to standard output: with `--json` as it is, else as `lines` lays it out. `lines` gets the result with
   * every text in it made safe for a terminal.
   */
  result<Result>(result: Result, lines: (safe: Result, page: Page) => readonly string[]): void;
  /** Prints our own text to standard output, with `--json` too. */
  text(lines: (page: Page) => readonly string[]): void;
  /** Prints to standard error what isn't a result, laid out for it; `safe` as in `result`. */
  aside<Facts>(facts: Facts, lines: (safe: Facts, page: Page) => readonly string[]): void;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDEST = 100;

/** Binds printing to the process's streams. */
export function createOutput(
  streams: { readonly stdout: OutputStream; readonly stderr: OutputStream },
  environment: Readonly<Record<string, string | undefined>>,
  options: { readonly isJson: boolean; readonly refusesColour: boolean },
): Output {
  const { isJson, refusesColour: refused } = options;
  const pageOf = (stream: OutputStream): Page => {
    const isTerminal = stream.isTTY === true;
    return {
      columns: isTerminal ? Math.min(stream.columns || 80, WIDEST) : Number.POSITIVE_INFINITY,
      paint: painter(wantsColour({ isTerminal, environment, refused })),
    };
  };
  const write = (stream: OutputStream, lines: readonly string[]) => {
    if (lines.length > 0) stream.write(`${lines.join('\n')}\n`);
  };
  return {
    isJson,
    result(result, lines) {
      const { stdout } = streams;
      write(stdout, isJson ? [safeJson(result)] : lines(safeValue(result), pageOf(stdout)));
    },
    text(lines) {
      write(streams.stdout, lines(pageOf(streams.stdout)));
    },
    aside(facts, lines) {
      const { stderr } = streams;
      write(stderr, lines(safeValue(facts), pageOf(stderr)));
    },
  };
}
