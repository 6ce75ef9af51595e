import { describe, expect, it } from 'vitest';
import { adviceOn } from './advice.ts';

describe('what to do about a start that failed', () => {
  it.each([
    ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'free some space'],
    ['ENOSPC: no space left on device, write', 'free some space'],
    ["EACCES: permission denied, mkdir '/data'", 'give it to the one that starts the server'],
    ['FATAL:  data directory "/data" has wrong ownership', 'give it to the one that starts the server'],
    ['FATAL:  data directory "/data" has invalid permissions', 'chmod 700'],
    ["EROFS: read-only file system, mkdir '/data'", 'set DATA_DIR'],
    ["ENOENT: no such file or directory, mkdir '/data/x'", 'make it yourself'],
    ["EACCES: permission denied, open '/data/x'", 'chmod u+rwx'],
    ["EMFILE: too many open files, open '/data'", 'ulimit -n'],
    ['FATAL:  insufficient file descriptors available to start server process', 'ulimit -n'],
    ["ENOTDIR: not a directory, mkdir '/data/x'", 'set DATA_DIR to a folder'],
    ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'end other programs'],
  ])('is told for %j', (failure, advice) => {
    expect(adviceOn(failure)).toContain(advice);
    expect(adviceOn(failure)).toContain('set DATABASE_URL');
  });

  it('is not made up', () => {
    expect(adviceOn('FATAL:  something else')).toBeNull();
  });
});
