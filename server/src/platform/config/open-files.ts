import { readFileSync } from 'node:fs';

/**
 * Number of files that a process must be allowed to open at once. Loading the server opens more than two hundred, and
 * connections need more.
 */
const MIN_OPEN_FILES = 512;

/** Explains why a process with a low limit of open files cannot work, and what to do. */
function tooFewFiles(allowed: string): string {
  return (
    `This process may open ${allowed} files at once, and it needs ${MIN_OPEN_FILES} or more: run "ulimit -n 4096" before ` +
    'it, or raise LimitNOFILE (systemd), --ulimit nofile (Docker) or the limit in /etc/security/limits.conf.'
  );
}

/** Reads the limits that the system sets for this process; null if the system does not show them. */
function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}

/**
 * Throws if this process's limit of open files is known to be too low. Otherwise a later failure would hide the
 * reason.
 */
export function requireOpenFiles(limits: string | null = readLimits()): void {
  const [, allowed] = /^Max open files +(\d+)/m.exec(limits ?? '') ?? [];
  if (allowed !== undefined && Number(allowed) < MIN_OPEN_FILES)
    throw new Error(tooFewFiles(`only ${allowed}`));
}

/**
 * Writes the message of an error to standard error, without a stack, and exits with status 1. Replaces the message if
 * the process has too many open files, so that it says what to do.
 */
export function exitWithMessage(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  const isOutOfFiles = code === 'EMFILE' || code === 'ENFILE';
  process.stderr.write(`${isOutOfFiles ? tooFewFiles('too few') : message}\n`);
  process.exit(1);
}
