import { describe, expect, it } from 'vitest';
import { adviceOn } from './advice.ts';

describe('advice for a failed start', () => {
  it.each([
    ['FATAL:  could not write lock file "postmaster.pid": No space left on device', 'free some space'],
    ['ENOSPC: no space left on device, write', 'free some space'],
    ["EACCES: permission denied, mkdir '/data'", 'change its owner to the user that starts the server'],
    [
      'FATAL:  data directory "/data" has wrong ownership',
      'change its owner to the user that starts the server',
    ],
    ['FATAL:  data directory "/data" has invalid permissions', 'chmod 700'],
    ["EROFS: read-only file system, mkdir '/data'", 'set DATA_DIR'],
    ["ENOENT: no such file or directory, mkdir '/data/x'", 'create it yourself'],
    ["ENOENT: no such file or directory, open '/proc/self/x'", 'set DATA_DIR to one on a writable disk'],
    ["EACCES: permission denied, open '/data/x'", 'chmod u+rwx'],
    ["EMFILE: too many open files, open '/data'", 'ulimit -n'],
    ['FATAL:  insufficient file descriptors available to start server process', 'ulimit -n'],
    ["ENOTDIR: not a directory, mkdir '/data/x'", 'set DATA_DIR to a folder'],
    ['FATAL:  could not map anonymous shared memory: Cannot allocate memory', 'end other programs'],
  ])('exists for %j', (failure, advice) => {
    expect(adviceOn(failure)).toContain(advice);
    expect(adviceOn(failure)).toContain('set DATABASE_URL');
  });

  it('does not exist for unknown failures', () => {
    expect(adviceOn('FATAL:  something else')).toBeNull();
  });
});
