import { painter, wantsColour } from './text/colors.ts';
import type { Page } from './text/layout.ts';
import { safeJson, safeValue } from './text/safe-text.ts';

/** Members of an output stream that the program uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Output of a command. */
export interface Output {
  readonly isJson: boolean;
  /**
   * Prints a result to standard output: as JSON with `--json`, otherwise the lines that `lines` returns. `lines` gets
   * the result with all strings sanitized for a terminal.
   */
  result<Result>(result: Result, lines: (safe: Result, page: Page) => readonly string[]): void;
  /** Prints text to standard output, even with `--json`. */
  text(lines: (page: Page) => readonly string[]): void;
  /** Prints lines to standard error. `lines` gets `facts` sanitized as in `result`. */
  aside<Facts>(facts: Facts, lines: (safe: Facts, page: Page) => readonly string[]): void;
}

/** Maximum line length, for readability on wide terminals. */
const WIDEST = 100;

/** Creates the output on the process's streams. */
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
