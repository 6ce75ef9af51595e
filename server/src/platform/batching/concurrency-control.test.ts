import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createControlledBatcher, items, settled } from '../../../testing/controlled-batcher.ts';
import { createConcurrencyLimiter } from './concurrency-control.ts';

function createKinds(...options: Parameters<typeof createConcurrencyLimiter>) {
  const shared = createConcurrencyLimiter(...options);
  return Array.from({ length: 3 }, () => createControlledBatcher({ limiter: shared })) as [Line, Line, Line];
}

type Line = ReturnType<typeof createControlledBatcher>;

/** Sends one item to each batcher, and waits for a turn of the event loop after each. */
async function askInTurn(...lines: Line[]): Promise<void> {
  for (const line of lines) {
    line.ask({ id: 1 });
    await turn();
  }
}

describe('kinds that share a limiter', () => {
  it('never exceed its limit together, and items that arrive meanwhile are one batch', async () => {
    const [one, other, third] = createKinds(2);
    await askInTurn(one, other);
    third.askAll(items(1, 5));
    await settled();
    expect([one.ids(), other.ids(), third.ids()]).toEqual([[[1]], [[1]], []]);
    third.askAll(items(6, 9));

    await one.sent[0]?.answer();

    expect(third.ids()).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('are sent in the order in which they began to wait, however many items others have', async () => {
    const [one, other, third] = createKinds(1);
    await askInTurn(one);
    other.ask({ id: 2 });
    third.askAll(items(1, 60));
    one.askAll(items(2, 60));
    other.ask({ id: 3 });

    await one.sent[0]?.answer();
    expect([one.ids().length, other.ids(), third.ids().length]).toEqual([1, [[2, 3]], 0]);
    await other.sent[0]?.answer();
    expect([one.ids().length, third.ids().length]).toEqual([1, 1]);
    await third.sent[0]?.answer();
    expect(one.ids()).toHaveLength(2);
  });

  it('requeue behind the others with items that did not fit into a batch', async () => {
    const limiter = createConcurrencyLimiter(1);
    const [hot, calm] = [
      createControlledBatcher({ limiter, maxBatch: 2 }),
      createControlledBatcher({ limiter }),
    ];
    hot.askAll(items(1, 9));
    await settled();
    calm.ask({ id: 1 });

    await hot.sent[0]?.answer();
    await hot.sent[1]?.answer();

    expect([hot.ids().length, calm.ids()]).toEqual([2, [[1]]]);
  });

  it('are overtaken by others while none of their items can be sent', async () => {
    const limiter = createConcurrencyLimiter(2);
    const [stuck, other] = [createControlledBatcher({ limiter }), createControlledBatcher({ limiter })];
    stuck.askAll([{ id: 1, key: 'same' }]);
    await turn();
    stuck.askAll([{ id: 2, key: 'same' }]);
    other.ask({ id: 1 });
    await settled();

    expect([stuck.ids(), other.ids()]).toEqual([[[1]], [[1]]]);
  });

  it('get the slot back after a failed statement', async () => {
    const [one, other] = createKinds(1);
    one.ask({ id: 1 }).catch(() => undefined);
    await turn();
    other.ask({ id: 1 });

    await one.sent[0]?.fail(new Error('the connection broke'));

    expect(other.ids()).toEqual([[1]]);
  });
});

describe('a statement that takes long', () => {
  // No other code that may still run in this process waits for this time.
  const SLOT_MS = 137;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('gives up its slot once, and not again when it ends', async () => {
    const started = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const [one, other, third] = createKinds(1, SLOT_MS);
    await askInTurn(one, other);
    vi.advanceTimersByTime(SLOT_MS - 1);
    await settled();
    expect(other.ids()).toEqual([]);

    vi.advanceTimersByTime(1);
    await settled();
    expect(other.ids()).toEqual([[1]]);

    await one.sent[0]?.answer();
    await askInTurn(third);
    expect(third.ids()).toEqual([]);
    await other.sent[0]?.answer();
    expect(third.ids()).toEqual([[1]]);
    const timers = started.mock.results.filter((_, at) => started.mock.calls[at]?.[1] === SLOT_MS);
    const ended = cleared.mock.calls.map(([timer]) => timer);
    expect(timers.map(({ value }) => ended.includes(value))).toEqual([true, true, false]);
  });
});
