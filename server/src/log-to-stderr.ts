import { type DestinationStream, pino } from 'pino';

/** Where lines go at once, and who tells when this turn of the event loop, or the process, is over. */
export interface LogParts {
  file?: DestinationStream;
  afterTurn?: (write: () => void) => unknown;
  atExit?: (write: () => void) => unknown;
}

/**
 * Log lines for standard error, all of one turn of the event loop by one write: under load the system call costs more than
 * its line. What is left is written when the process ends.
 */
export function logToStderr({
  file = pino.destination(2),
  afterTurn = setImmediate,
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
      if (lines === '') afterTurn(writeAll);
      lines += line;
    },
  };
}
