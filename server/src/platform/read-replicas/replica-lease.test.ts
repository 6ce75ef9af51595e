import { describe, expect, it, vi } from 'vitest';
import type { Connection } from '../database/connect.ts';
import { ReplicaLease } from './replica-lease.ts';

function makeLease(onReplica: () => Promise<unknown[]>, onPrimary: () => Promise<unknown[]>) {
  const query = (answer: () => Promise<unknown[]>) => vi.fn(answer) as unknown as Connection['query'];
  const replica = { query: query(onReplica) };
  const primary = { query: query(onPrimary) } as Connection;
  const [onFailure, onFallback] = [vi.fn(), vi.fn()];
  return {
    lease: new ReplicaLease({ replica, primary, onFailure, onFallback }),
    ...{ replica, primary, onFailure, onFallback },
  };
}

const ROW = [{ from: 'replica' }];
const OTHER = [{ from: 'primary' }];

describe('a statement of a replica lease', () => {
  it('runs on the primary if the replica fails, and so do all later ones', async () => {
    const conflict = Object.assign(new Error('canceling statement due to conflict'), { code: '40001' });
    const answers = [() => Promise.resolve(ROW), () => Promise.reject(conflict), () => Promise.resolve(ROW)];
    const { lease, replica, onFailure, onFallback } = makeLease(
      () => (answers.shift() as () => Promise<unknown[]>)(),
      async () => OTHER,
    );

    const rows = [await lease.query('1'), await lease.query('2'), await lease.query('3')];

    expect(rows).toEqual([ROW, OTHER, OTHER]);
    expect(replica.query).toHaveBeenCalledTimes(2);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(conflict);
    expect(onFallback).toHaveBeenCalledTimes(2);
  });

  it('stops waiting for the replica when the lease ends', async () => {
    const { lease } = makeLease(
      () => new Promise(() => undefined),
      async () => OTHER,
    );

    const asked = [lease.query('1'), lease.query('2')];
    lease.end(new Error('it hangs'));

    expect(await Promise.all(asked)).toEqual([OTHER, OTHER]);
  });

  it('that the primary rejects too is not the replica’s fault', async () => {
    const wrong = new Error('no such column');
    const { lease, onFailure, replica } = makeLease(
      () => Promise.reject(wrong),
      () => Promise.reject(wrong),
    );

    await expect(lease.query('1')).rejects.toBe(wrong);
    await expect(lease.query('2')).rejects.toBe(wrong);

    expect(onFailure).not.toHaveBeenCalled();
    expect(replica.query).toHaveBeenCalledTimes(2);
  });
});
