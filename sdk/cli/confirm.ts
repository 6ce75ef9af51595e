import { createInterface } from 'node:readline/promises';
import { CommandError, EXIT } from './exit-code.ts';

/** Streams of a process that a question needs. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

/**
 * Creates the confirmation prompt, or returns null if standard input or error is not a terminal. The prompt asks on
 * standard error; only `y` and `yes` confirm, and a closed input declines. After Ctrl-C it rejects with a CommandError.
 */
export function createConfirm({ stdin, stderr }: Terminal): ((question: string) => Promise<boolean>) | null {
  if (!stdin.isTTY || !stderr.isTTY) return null;
  return async (question) => {
    const stopped = new AbortController();
    const lines = createInterface({ input: stdin, output: stderr });
    // readline puts the terminal in raw mode, so Ctrl-C arrives here and not as a signal.
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
