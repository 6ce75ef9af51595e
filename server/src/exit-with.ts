import { tooFewFiles } from './open-files.ts';

/** Ends the process with a sentence for its operator: no stack, since the sentence says what to do. */
export function exitWith(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE';
  process.stderr.write(`${isOutOfFiles ? tooFewFiles('too few') : message}\n`);
  process.exit(1);
}
