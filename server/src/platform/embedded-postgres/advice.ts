/** Thrown if the embedded PostgreSQL is unusable. The message is for the operator, with a solution if one is known. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** Solution that works on every machine. Advice about the embedded server ends with it. */
export const USE_YOUR_OWN = 'or set DATABASE_URL to a PostgreSQL 15 or newer of your own';

/** Advice for operators, by the error of the system or PostgreSQL about an unusable data folder. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /no space left|ENOSPC|disk quota|EDQUOT/i,
    'The disk is full: free some space, or set DATA_DIR to a folder on another disk',
  ],
  [/read-only file system|EROFS/i, 'The disk is read-only: set DATA_DIR to a folder on another disk'],
  [
    /has invalid permissions/i,
    'Others may read the data folder, which PostgreSQL refuses: run "chmod 700" on the folder named below',
  ],
  [
    /permission denied|EACCES|not permitted|EPERM|wrong ownership/i,
    'The folder belongs to another user or is not writable: change its owner to the user that starts the server (for root: postgres), run "chmod u+rwx" on it, or set DATA_DIR to another',
  ],
  // Special file systems such as /proc report this error for every new folder or file.
  [
    /ENOENT.*mkdir/,
    'The folder cannot be created: create it yourself, or set DATA_DIR to one on a writable disk',
  ],
  [/ENOENT.*open/, 'No file can be created in the folder: set DATA_DIR to one on a writable disk'],
  [
    /too many open files|EMFILE|ENFILE|insufficient file descriptors/i,
    'The limit of open files is too low: run "ulimit -n 4096" before the start',
  ],
  [/not a directory|ENOTDIR|EEXIST/i, 'A file is where a folder should be: set DATA_DIR to a folder'],
  [
    /shared memory|cannot allocate memory|ENOMEM/i,
    'There is not enough memory: end other programs, or allow this one more',
  ],
];

/** Returns advice for a failure, without a final full stop; null if none is known. */
export function adviceOn(failure: string): string | null {
  const found = ADVICE.find(([words]) => words.test(failure));
  return found === undefined ? null : `${found[1]}, ${USE_YOUR_OWN}`;
}
