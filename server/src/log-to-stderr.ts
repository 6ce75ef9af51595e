import { type DestinationStream, pino } from 'pino';

/** How long a line waits for others: no reader of a log notices, and under load it is some two hundred lines. */
const GATHERED_MS = 10;

/** Where lines go, and who tells when they have waited long enough, or the process is over. */
export interface LogParts {
  file?: DestinationStream;
  soon?: (write: () => void) => unknown;
  atExit?: (write: () => void) => unknown;
  /** Holds lines below warnings back until `release`: a start's text for people comes in one piece. */
  isHeld?: boolean;
}

/** Log lines for standard error. */
export interface LogStream extends DestinationStream {
  /** Writes what was held back, and holds nothing back from then on. */
  release(): void;
}

/** Trace, debug and info, as pino begins a line. */
const BELOW_WARNING = /^\{"level":[123]0,/;

/**
 * Log lines for standard error, those of a moment by one write: under load the system call, and waking the one who reads,
 * cost more than the line. What is left is written when the process ends.
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
