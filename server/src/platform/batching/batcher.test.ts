import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  answerOf,
  createControlledBatcher,
  items,
  keepBusy,
  outcomes,
} from '../../../testing/controlled-batcher.ts';
import { RETRY_IN_NEXT_BATCH } from './batcher.ts';

describe('an item that arrives while no statement is in flight', () => {
  it('is sent before the event loop turns', async () => {
    const line = createControlledBatcher();

    line.ask({ id: 1 });
    await Promise.resolve();

    expect(line.ids()).toEqual([[1]]);
  });

  it('is batched with items of the same moment, and each gets its own result', async () => {
    const line = createControlledBatcher();

    const answers = line.askAll(items(1, 5));
    await turn();
    await line.sent[0]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3, 4, 5]]);
    expect(await outcomes(answers)).toEqual([1, 2, 3, 4, 5].map(answerOf));
  });
});

describe('an item that arrives while statements are in flight', () => {
  it('is batched until the first of them ends; never more than two are in flight', async () => {
    const line = createControlledBatcher();
    void keepBusy(line);
    await turn();
    await turn();
    for (const item of items(1, 9)) {
      line.ask(item);
      await turn();
    }

    expect(line.sent).toHaveLength(2);
    await line.sent[1]?.answer();

    expect(line.ids().slice(2)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('is batched with items of the same event-loop turn if another slot is free', async () => {
    const line = createControlledBatcher();
    line.ask({ id: 1 });
    await turn();
    line.ask({ id: 2 });
    for (let microtasks = 0; microtasks < 10; microtasks += 1) await Promise.resolve();
    line.ask({ id: 3 });
    await turn();

    expect(line.ids()).toEqual([[1], [2, 3]]);
  });

  it('is sent before the callers of the finished batch continue', async () => {
    const line = createControlledBatcher({ maxInFlight: 1 });
    const answered = line.ask({ id: 1 }).then(() => line.ids());
    await turn();
    line.ask({ id: 2 });

    await line.sent[0]?.answer();

    expect(await answered).toEqual([[1], [2]]);
  });

  it('is sent by halves if more than 64 items wait', async () => {
    const line = createControlledBatcher({ maxInFlight: 1, maxBatch: 45 });
    line.ask({ id: 0 });
    await turn();
    line.askAll(items(1, 120));
    for (const place of [0, 1, 2, 3]) await line.sent[place]?.answer();

    expect(line.ids().map(({ length }) => length)).toEqual([1, 45, 38, 32, 5]);
  });

  it('is sent in batches of at most maxBatch', async () => {
    const line = createControlledBatcher({ maxBatch: 4 });
    line.askAll(items(1, 9));
    await turn();
    await line.sent[0]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
  });

  it('is taken round-robin by partition: a partition with a thousand items does not keep another out of the next batch', async () => {
    const line = createControlledBatcher({ maxBatch: 4, maxInFlight: 1 });
    line.askAll(items(1, 1000, { lane: 'hot' }));
    await turn();
    line.askAll([...items(2001, 2001, { lane: 'calm' }), ...items(3001, 3002, { lane: 'mild' })]);
    await line.sent[0]?.answer();
    await line.sent[1]?.answer();

    expect(line.ids()).toEqual([
      [1, 2, 3, 4],
      [5, 2001, 3001, 6],
      [3002, 7, 8, 9],
    ]);
  });

  it('waits for an item with its key, while others of its partition overtake it', async () => {
    const line = createControlledBatcher();
    line.ask({ id: 1, key: 'same' });
    await turn();
    line.askAll([
      { id: 2, key: 'same' },
      { id: 3, key: 'same' },
      { id: 4, key: 'other' },
    ]);
    await turn();

    expect(line.ids()).toEqual([[1], [4]]);
    await line.sent[0]?.answer();
    expect(line.ids()).toEqual([[1], [4], [2]]);
    await line.sent[2]?.answer();
    expect(line.ids()).toEqual([[1], [4], [2], [3]]);
  });
});

describe('an item that a statement skipped', () => {
  it('is sent with a later batch, before the rest of its partition', async () => {
    const line = createControlledBatcher({ maxBatch: 3, maxInFlight: 1 });
    const answers = line.askAll(items(1, 5));
    await turn();

    await line.sent[0]?.answer((id) => (id === 1 ? answerOf(id) : RETRY_IN_NEXT_BATCH));
    await line.sent[1]?.answer();
    await line.sent[2]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3], [2, 3, 4], [5]]);
    expect(await outcomes(answers)).toEqual([1, 2, 3, 4, 5].map(answerOf));
  });
});
