import { type DestinationStream, pino } from 'pino';

/**
 * Time in milliseconds for which lines are collected before they are written. Readers do not notice the delay, and
 * under load it collects about two hundred lines.
 */
const GATHERED_MS = 10;

/** Replaceable parts for tests: destination, delay and exit hook. */
export interface LogParts {
  file?: DestinationStream;
  soon?: (write: () => void) => unknown;
  atExit?: (write: () => void) => unknown;
  /**
   * True to buffer lines below warnings until `release` or the next warning, so that nothing interrupts the text that a
   * start prints for people.
   */
  isHeld?: boolean;
}

/** A stream of log lines to standard error. */
export interface LogStream extends DestinationStream {
  /** Writes the buffered lines and stops buffering. */
  release(): void;
}

/** Matches the start of pino's lines of the levels trace, debug and info. */
const BELOW_WARNING = /^\{"level":[123]0,/;

/**
 * Creates a stream that writes log lines in batches. Under load, the system call and waking the reader cost more than
 * the line itself. Remaining lines are written when the process ends.
 */
export function logToStderr({
  file = pino.destination(2),
  soon = (write) => setTimeout(write, GATHERED_MS),
  atExit = (write) => process.once('exit', write),
  isHeld = false,
}: LogParts = {}): LogStream {
  let lines = '';
  let holds = isHeld;
  const writeAll = () => {
    const all = lines;
    lines = '';
    if (all !== '') file.write(all);
  };
  atExit(writeAll);
  return {
    write(line) {
      if (holds ? !BELOW_WARNING.test(line) : lines === '') soon(writeAll);
      lines += line;
    },
    release() {
      holds = false;
      if (lines !== '') soon(writeAll);
    },
  };
}
