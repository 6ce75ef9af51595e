import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createLine, items, refused, settled } from '../../testing/coalescing-line.ts';
import { GivenUp, onEach } from './coalesce.ts';
import type { Connection } from './connect.ts';
import { createRoom } from './room.ts';

describe('a kind among others that share room', () => {
  it('has no more statements under way than it may, however much room there is', async () => {
    const line = createLine({ maxInFlight: 1, room: createRoom(3) });
    line.ask({ id: 1 });
    await turn();
    line.ask({ id: 2 });
    await settled();
    expect(line.ids()).toEqual([[1]]);

    await line.sent[0]?.answer();
    line.ask({ id: 3 });
    await settled();

    expect(line.ids()).toEqual([[1], [2]]);
  });

  it('waits for nothing once what waited was given up', async () => {
    const room = createRoom(1);
    const join = vi.spyOn(room, 'join');
    const line = createLine({ room });
    const leave = room.enter(1);
    const [late] = line.askAll([{ id: 1, isOver: true }]);
    await turn();
    leave();
    await settled();

    await expect(late).rejects.toThrow(GivenUp);
    expect(join.mock.calls[0]?.[0].waitsSince()).toBeNull();
  });
});

describe('who watches', () => {
  it('is told of each statement, for whom it is and whether it failed', async () => {
    const seen: unknown[] = [];
    let askers = 0;
    const sends = (name: string, asked: readonly unknown[]) => {
      seen.push([name, asked]);
      return (hasFailed: boolean) => void seen.push(hasFailed);
    };
    const line = createLine({ name: 'some', watch: { asks: () => (askers += 1), sends } });
    line.askAll(items(1, 2));
    await turn();
    await line.sent[0]?.answer();
    line.askAll(items(3, 3));
    await turn();
    await line.sent[1]?.fail(refused('08006'));

    expect(seen).toEqual([['some', [1, 2]], false, ['some', [3]], true]);
  });

  it('is told of none that has no name', async () => {
    const sends = vi.fn();
    const line = createLine({ watch: { sends } });
    line.ask({ id: 1 });
    await turn();
    await line.sent[0]?.answer();

    expect(line.sent).toHaveLength(1);
    expect(sends).not.toHaveBeenCalled();
  });
});

it('each connection has one of what is made for it, and another has another', () => {
  const [one, other] = [{}, {}] as [Connection, Connection];
  const partOf = onEach(() => ({}));

  expect(partOf(one)).toBe(partOf(one));
  expect(partOf(other)).not.toBe(partOf(one));
});
