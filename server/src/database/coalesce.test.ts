import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerOf, createLine, items, keepBusy, settled, told } from '../../testing/coalescing-line.ts';
import { UNDECIDED } from './coalesce.ts';
import { createRoom } from './room.ts';

describe('what comes while nothing is under way', () => {
  it('goes before the event loop turns', async () => {
    const line = createLine();

    line.ask({ id: 1 });
    await Promise.resolve();

    expect(line.ids()).toEqual([[1]]);
  });

  it('goes together when it comes in the same moment, and each has its own answer', async () => {
    const line = createLine();

    const answers = line.askAll(items(1, 5));
    await turn();
    await line.sent[0]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3, 4, 5]]);
    expect(await told(answers)).toEqual([1, 2, 3, 4, 5].map(answerOf));
  });
});

describe('what nobody waits for', () => {
  afterEach(() => void vi.useRealTimers());

  it('is collected for its time and goes as one; what it leaves behind and what comes then waits no more than others do', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const line = createLine({ lingersMs: 100, maxBatch: 3, maxInFlight: 1 });
    line.askAll(items(1, 2));
    vi.advanceTimersByTime(99);
    await settled();
    line.askAll(items(3, 4));
    await settled();
    expect(line.ids()).toEqual([]);

    vi.advanceTimersByTime(1);
    await settled();
    expect(line.ids()).toEqual([[1, 2, 3]]);
    await line.sent[0]?.answer();
    expect(line.ids()).toEqual([[1, 2, 3], [4]]);

    line.ask({ id: 5 });
    await line.sent[1]?.answer();
    expect(line.ids()).toHaveLength(2);
    vi.advanceTimersByTime(100);
    await settled();
    expect(line.ids()[2]).toEqual([5]);
  });

  it('goes whole, while of what others wait for half goes, as if it were not there', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const room = createRoom(2);
    const quiet = createLine({ lingersMs: 100, maxBatch: 256, room });
    const awaited = createLine({ room });
    const [leave, leaveToo] = [room.enter(1), room.enter(1)];
    quiet.askAll(items(1, 150));
    awaited.askAll(items(1, 80));

    leave();
    expect(awaited.sent[0]?.ids).toHaveLength(40);
    vi.advanceTimersByTime(100);
    leaveToo();
    expect(quiet.sent[0]?.ids).toHaveLength(150);
  });
});

describe('what comes while statements are under way', () => {
  it('is collected, and goes as one when the first of them ends; never more than two are', async () => {
    const line = createLine();
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

  it('goes with all that the same turn of the event loop brings, where there is room for another', async () => {
    const line = createLine();
    line.ask({ id: 1 });
    await turn();
    line.ask({ id: 2 });
    for (let microtasks = 0; microtasks < 10; microtasks += 1) await Promise.resolve();
    line.ask({ id: 3 });
    await turn();

    expect(line.ids()).toEqual([[1], [2, 3]]);
  });

  it('goes before those who were answered go on', async () => {
    const line = createLine({ maxInFlight: 1 });
    const answered = line.ask({ id: 1 }).then(() => line.ids());
    await turn();
    line.ask({ id: 2 });

    await line.sent[0]?.answer();

    expect(await answered).toEqual([[1], [2]]);
  });

  it('goes in halves where it is more than two small batches', async () => {
    const line = createLine({ maxInFlight: 1, maxBatch: 45 });
    line.ask({ id: 0 });
    await turn();
    line.askAll(items(1, 120));
    for (const place of [0, 1, 2, 3]) await line.sent[place]?.answer();

    expect(line.ids().map(({ length }) => length)).toEqual([1, 45, 38, 32, 5]);
  });

  it('goes in batches of so many at most', async () => {
    const line = createLine({ maxBatch: 4 });
    line.askAll(items(1, 9));
    await turn();
    await line.sent[0]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3, 4], [5, 6, 7, 8], [9]]);
  });

  it('takes turns by lanes: a lane with a thousand does not keep another from the next batch', async () => {
    const line = createLine({ maxBatch: 4, maxInFlight: 1 });
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

  it('waits for what has its key, and others of its lane pass it', async () => {
    const line = createLine();
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

describe('what a statement leaves undecided', () => {
  it('goes with a later one, before the rest of its lane', async () => {
    const line = createLine({ maxBatch: 3, maxInFlight: 1 });
    const answers = line.askAll(items(1, 5));
    await turn();

    await line.sent[0]?.answer((id) => (id === 1 ? answerOf(id) : UNDECIDED));
    await line.sent[1]?.answer();
    await line.sent[2]?.answer();

    expect(line.ids()).toEqual([[1, 2, 3], [2, 3, 4], [5]]);
    expect(await told(answers)).toEqual([1, 2, 3, 4, 5].map(answerOf));
  });
});
