import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLine, items, settled } from '../../testing/coalescing-line.ts';
import { createRoom } from './room.ts';

function createKinds(...room: Parameters<typeof createRoom>) {
  const shared = createRoom(...room);
  return Array.from({ length: 3 }, () => createLine({ room: shared })) as [Line, Line, Line];
}

type Line = ReturnType<typeof createLine>;

/** Each asks for one and lets the event loop turn. */
async function askInTurn(...lines: Line[]): Promise<void> {
  for (const line of lines) {
    line.ask({ id: 1 });
    await turn();
  }
}

describe('kinds that share room', () => {
  it('have no more statements at work together than it has, and what comes meanwhile is one batch', async () => {
    const [one, other, third] = createKinds(2);
    await askInTurn(one, other);
    third.askAll(items(1, 5));
    await settled();
    expect([one.ids(), other.ids(), third.ids()]).toEqual([[[1]], [[1]], []]);
    third.askAll(items(6, 9));

    await one.sent[0]?.answer();

    expect(third.ids()).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('go in the order in which they began to wait, however much has come for another', async () => {
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

  it('wait anew with what did not fit into a batch, so that it keeps no other waiting twice', async () => {
    const room = createRoom(1);
    const [hot, calm] = [createLine({ room, maxBatch: 2 }), createLine({ room })];
    hot.askAll(items(1, 9));
    await settled();
    calm.ask({ id: 1 });

    await hot.sent[0]?.answer();
    await hot.sent[1]?.answer();

    expect([hot.ids().length, calm.ids()]).toEqual([2, [[1]]]);
  });

  it('are passed by others where nothing of them can go', async () => {
    const room = createRoom(2);
    const [stuck, other] = [createLine({ room }), createLine({ room })];
    stuck.askAll([{ id: 1, key: 'same' }]);
    await turn();
    stuck.askAll([{ id: 2, key: 'same' }]);
    other.ask({ id: 1 });
    await settled();

    expect([stuck.ids(), other.ids()]).toEqual([[[1]], [[1]]]);
  });

  it('have it back after a statement that failed', async () => {
    const [one, other] = createKinds(1);
    one.ask({ id: 1 }).catch(() => undefined);
    await turn();
    other.ask({ id: 1 });

    await one.sent[0]?.fail(new Error('the connection broke'));

    expect(other.ids()).toEqual([[1]]);
  });
});

describe('a statement that takes long', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('has another beside it from then on, and each of them a while for itself', async () => {
    const [one, other, third] = createKinds(3, { besideAfterMs: 10 });
    one.askAll(items(1, 9));
    await turn();
    other.askAll(items(1, 9));
    await askInTurn(third);
    vi.advanceTimersByTime(9);
    await settled();
    expect([one, other, third].map(({ sent }) => sent.length)).toEqual([1, 0, 0]);

    vi.advanceTimersByTime(1);
    await settled();
    expect([other, third].map(({ sent }) => sent.length)).toEqual([1, 0]);

    await one.sent[0]?.answer();
    expect(third.ids()).toEqual([]);
    await other.sent[0]?.answer();
    expect(third.ids()).toEqual([[1]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has another beside it at once where it is of a few', async () => {
    const [one, other] = createKinds(2, { besideAfterMs: 10 });
    one.askAll(items(1, 8));
    await turn();
    await askInTurn(other);

    expect(other.ids()).toEqual([[1]]);
  });

  it('leaves its room to another once, and no second time when it ends', async () => {
    const [one, other, third] = createKinds(1, { leaveAfterMs: 100 });
    await askInTurn(one, other);
    vi.advanceTimersByTime(99);
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
    expect(vi.getTimerCount()).toBe(1);
  });
});
