import { USE_YOUR_OWN } from './embedded-error.ts';

/** What the system and PostgreSQL say where a data folder cannot be used, and what an operator can do about it. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /no space left|ENOSPC|disk quota|EDQUOT/i,
    'The disk is full: free some space, or set DATA_DIR to a folder on another disk',
  ],
  [/read-only file system|EROFS/i, 'The disk cannot be written: set DATA_DIR to a folder that can'],
  [
    /has invalid permissions/i,
    'Others may read the data folder, which PostgreSQL refuses: run "chmod 700" on the folder named below',
  ],
  [
    /permission denied|EACCES|not permitted|EPERM|wrong ownership/i,
    'The folder belongs to another user, or may not be written: give it to the one that starts the server (for root: to postgres) with "chmod u+rwx", or set DATA_DIR to another',
  ],
  // So Node says, too, where the disk is read-only and folders above it are to be made.
  [
    /ENOENT.*mkdir/,
    'The folder cannot be made there: make it yourself, or set DATA_DIR to one on a disk that can be written',
  ],
  [
    /too many open files|EMFILE|ENFILE|insufficient file descriptors/i,
    'Too few files may be open at once: run "ulimit -n 4096" before the start',
  ],
  [/not a directory|ENOTDIR|EEXIST/i, 'A file is where a folder should be: set DATA_DIR to a folder'],
  [
    /shared memory|cannot allocate memory|ENOMEM/i,
    'There is too little memory: end other programs, or allow this one more',
  ],
];

/** What to do about a failure that says this; null where nobody knows. Ends without a full stop. */
export function adviceOn(failure: string): string | null {
  const found = ADVICE.find(([words]) => words.test(failure));
  return found === undefined ? null : `${found[1]}, ${USE_YOUR_OWN}`;
}
