import type { ExitCode } from './exit-code.ts';

/** A command can't go on. The message is a sentence that says what to do; the program prints it and ends with the code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
