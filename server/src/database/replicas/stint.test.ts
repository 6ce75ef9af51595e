import { describe, expect, it, vi } from 'vitest';
import type { Connection } from '../connect.ts';
import { Stint } from './stint.ts';

function makeStint(onReplica: () => Promise<unknown[]>, onPrimary: () => Promise<unknown[]>) {
  const query = (answer: () => Promise<unknown[]>) => vi.fn(answer) as unknown as Connection['query'];
  const replica = { query: query(onReplica) };
  const primary = { query: query(onPrimary) } as Connection;
  const [onFailure, onRetreat] = [vi.fn(), vi.fn()];
  return {
    stint: new Stint({ replica, primary, onFailure, onRetreat }),
    ...{ replica, primary, onFailure, onRetreat },
  };
}

const ROW = [{ from: 'replica' }];
const OTHER = [{ from: 'primary' }];

describe('what a replica reads', () => {
  it('is asked of the primary where the replica failed, and so is all that comes after it', async () => {
    const conflict = Object.assign(new Error('canceling statement due to conflict'), { code: '40001' });
    const answers = [() => Promise.resolve(ROW), () => Promise.reject(conflict), () => Promise.resolve(ROW)];
    const { stint, replica, onFailure, onRetreat } = makeStint(
      () => (answers.shift() as () => Promise<unknown[]>)(),
      async () => OTHER,
    );

    const rows = [await stint.query('1'), await stint.query('2'), await stint.query('3')];

    expect(rows).toEqual([ROW, OTHER, OTHER]);
    expect(replica.query).toHaveBeenCalledTimes(2);
    expect(onFailure).toHaveBeenCalledExactlyOnceWith(conflict);
    expect(onRetreat).toHaveBeenCalledTimes(2);
  });

  it('is not waited for any longer once the replica is given up', async () => {
    const { stint } = makeStint(
      () => new Promise(() => undefined),
      async () => OTHER,
    );

    const asked = [stint.query('1'), stint.query('2')];
    stint.end(new Error('it hangs'));

    expect(await Promise.all(asked)).toEqual([OTHER, OTHER]);
  });

  it('that the primary refuses too is not the fault of the replica', async () => {
    const wrong = new Error('no such column');
    const { stint, onFailure, replica } = makeStint(
      () => Promise.reject(wrong),
      () => Promise.reject(wrong),
    );

    await expect(stint.query('1')).rejects.toBe(wrong);
    await expect(stint.query('2')).rejects.toBe(wrong);

    expect(onFailure).not.toHaveBeenCalled();
    expect(replica.query).toHaveBeenCalledTimes(2);
  });
});
