import { type DestinationStream, pino } from 'pino';

/** How long a line waits for others: no reader of a log notices, and under load it is some two hundred lines. */
const GATHERED_MS = 10;

/** Where lines go, and who tells when they have waited long enough, or the process is over. */
export interface LogParts {
  file?: DestinationStream;
  soon?: (write: () => void) => unknown;
  atExit?: (write: () => void) => unknown;
}

/**
 * Log lines for standard error, those of a moment by one write: under load the system call, and waking the one who reads,
 * cost more than the line. What is left is written when the process ends.
 */
export function logToStderr({
  file = pino.destination(2),
  soon = (write) => setTimeout(write, GATHERED_MS),
  atExit = (write) => process.once('exit', write),
}: LogParts = {}): DestinationStream {
  let lines = '';
  const writeAll = () => {
    const all = lines;
    lines = '';
    if (all !== '') file.write(all);
  };
  atExit(writeAll);
  return {
    write(line) {
      if (lines === '') soon(writeAll);
      lines += line;
    },
  };
}
