import { readFileSync } from 'node:fs';

/** Loading the server opens more than two hundred files at once; connections come on top. */
const LEAST_OPEN_FILES = 512;

/** Why a process that may open too few files cannot work, and what to do. */
export function tooFewFiles(allowed: string): string {
  return (
    `This process may open ${allowed} files at once, and it needs ${LEAST_OPEN_FILES} or more: run "ulimit -n 4096" before ` +
    'it, or raise LimitNOFILE (systemd), --ulimit nofile (Docker) or the limit in /etc/security/limits.conf.'
  );
}

/** The system's word on the limits of this process; null where it has none to read. */
function readLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}

/** Throws where this process surely may open too few files, before anything fails over it in words of its own. */
export function requireOpenFiles(limits: string | null = readLimits()): void {
  const [, allowed] = /^Max open files +(\d+)/m.exec(limits ?? '') ?? [];
  if (allowed !== undefined && Number(allowed) < LEAST_OPEN_FILES)
    throw new Error(tooFewFiles(`only ${allowed}`));
}
