import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  answerOf,
  createControlledBatcher,
  items,
  keepBusy,
  sqlError,
} from '../../../testing/controlled-batcher.ts';
import { createKeyedMutex } from './concurrency-control.ts';

describe('an item whose deadline has passed', () => {
  const DROPPED = { name: 'DeadlineExceededError' };

  afterEach(() => vi.restoreAllMocks());

  it('is not sent, while others of its partition are', async () => {
    const line = createControlledBatcher();
    void keepBusy(line);
    await turn();
    await turn();
    const [first, second, third] = line.askAll([{ id: 1 }, { id: 2, isOver: true }, { id: 3 }]);
    const [alone] = line.askAll([{ id: 4, lane: 'another', isOver: true }]);

    await line.sent[0]?.answer();
    await line.sent[2]?.answer();

    expect(line.ids().slice(2)).toEqual([[1, 3]]);
    await expect(second).rejects.toMatchObject(DROPPED);
    await expect(alone).rejects.toMatchObject(DROPPED);
    expect(await Promise.all([first, third])).toEqual([1, 3].map(answerOf));
  });

  it('is not retried after its batch was rejected', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    const line = createControlledBatcher({ deadlineOf: ({ id }) => (id === 2 ? 1 : undefined) });
    const [, second] = line.askAll(items(1, 3, { lane: 'one' }));
    await turn();
    expect(line.ids()).toEqual([[1, 2, 3]]);
    now.mockReturnValue(2);

    await line.sent[0]?.fail(sqlError('55P03'));
    await line.sent[1]?.answer();
    await line.sent[2]?.answer();

    expect(line.ids().slice(1)).toEqual([[1], [3]]);
    await expect(second).rejects.toMatchObject(DROPPED);
  });
});

describe('kinds that share a mutex', () => {
  function createKinds() {
    const turns = createKeyedMutex();
    return {
      beginning: createControlledBatcher({ mutex: turns }),
      ending: createControlledBatcher({ mutex: turns, isTerminal: true }),
    };
  }

  it('have a partition in one statement at a time, while other partitions are sent', async () => {
    const { beginning, ending } = createKinds();
    beginning.askAll(items(1, 2, { lane: 'hot' }));
    await turn();
    ending.askAll([...items(3, 4, { lane: 'hot' }), { id: 5, lane: 'calm' }]);
    beginning.askAll(items(6, 7, { lane: 'hot' }));
    await turn();
    expect([beginning.ids(), ending.ids()]).toEqual([[[1, 2]], [[5]]]);

    await beginning.sent[0]?.answer();
    expect([beginning.ids(), ending.ids()]).toEqual([[[1, 2]], [[5], [3, 4]]]);

    await ending.sent[1]?.answer();
    expect(beginning.ids()).toEqual([
      [1, 2],
      [6, 7],
    ]);
  });

  it('release the partitions of a failed batch while its items are retried one by one', async () => {
    const { beginning, ending } = createKinds();
    beginning.askAll([
      { id: 1, lane: 'a' },
      { id: 2, lane: 'b' },
    ]);
    await turn();
    ending.ask({ id: 3, lane: 'a' });
    await turn();
    expect(ending.ids()).toEqual([]);

    await beginning.sent[0]?.fail(sqlError('55P03'));

    expect(beginning.ids().slice(1)).toEqual([[1], [2]]);
    expect(ending.ids()).toEqual([[3]]);
  });
});
