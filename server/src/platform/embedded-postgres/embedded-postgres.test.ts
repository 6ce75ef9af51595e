import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { findMachine, settingsFor } from './embedded-postgres.ts';

const GB = 2 ** 30;

describe('the settings of the embedded server', () => {
  it('grow with the machine', () => {
    expect(settingsFor({ memory: 8 * GB, freeDisk: 40 * GB })).toEqual({
      shared_buffers: '1024MB',
      effective_cache_size: '4096MB',
      work_mem: '16MB',
      maintenance_work_mem: '256MB',
      max_wal_size: '2048MB',
      min_wal_size: '512MB',
      checkpoint_timeout: '15min',
      shared_preload_libraries: 'pg_prewarm',
    });
  });

  it.each([
    ['small', { memory: GB / 8, freeDisk: GB }, '32MB', '256MB'],
    ['of an unknown disk', { memory: 4 * GB, freeDisk: null }, '512MB', '256MB'],
    ['large', { memory: 1024 * GB, freeDisk: 10_000 * GB }, '8192MB', '4096MB'],
  ])('stay within bounds on a machine that is %s', (_name, machine, buffers, wal) => {
    expect(settingsFor(machine)).toMatchObject({ shared_buffers: buffers, max_wal_size: wal });
  });

  it('leave alone what makes a commit durable', () => {
    const names = Object.keys(settingsFor({ memory: GB, freeDisk: GB }));

    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) expect(names).not.toContain(name);
  });

  it('are those of a machine that is there', async () => {
    const { memory, freeDisk } = await findMachine(tmpdir());

    expect(memory).toBeGreaterThan(2 ** 26);
    expect(freeDisk).toBeGreaterThan(0);
    expect((await findMachine('/nowhere/at/all')).freeDisk).toBeNull();
  });
});
