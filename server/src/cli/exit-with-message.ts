import { tooFewFiles } from '../platform/config/open-files.ts';

/** Exits with a message for the operator, without a stack, since the message says what to do. */
export function exitWithMessage(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE';
  process.stderr.write(`${isOutOfFiles ? tooFewFiles('too few') : message}\n`);
  process.exit(1);
}
