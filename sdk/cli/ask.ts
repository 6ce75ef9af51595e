import { createInterface } from 'node:readline/promises';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';

/** The parts of a process that a question needs. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

/**
 * Asks on standard error and reads one line. Only `y` and `yes` are a yes; a closed input means no. Ctrl-C throws
 * a CommandError. Null where standard input or error is not a terminal: then there is nobody to ask.
 */
export function confirmOn({ stdin, stderr }: Terminal): ((question: string) => Promise<boolean>) | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question) => {
    const stopped = new AbortController();
    const lines = createInterface({ input: stdin, output: stderr });
    // Meanwhile the terminal is read key by key, so Ctrl-C comes from here and not as a signal.
    lines.once('SIGINT', () => stopped.abort());
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    try {
      const answer = await Promise.race([lines.question(`${question} [y/N] `, stopped), closed]);
      return /^\s*y(es)?\s*$/i.test(answer);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      stderr.write('\n');
      throw new CommandError(EXIT.interrupted, 'Stopped. Nothing was spent.');
    } finally {
      lines.close();
    }
  };
}
