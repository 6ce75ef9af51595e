import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createControlledBatcher, items, settled, sqlError } from '../../../testing/controlled-batcher.ts';
import type { Connection } from '../database/connect.ts';
import { DeadlineExceededError } from './batcher.ts';
import { createConcurrencyLimiter, perConnection } from './concurrency-control.ts';

describe('a kind that shares its concurrency limiter with others', () => {
  it('never exceeds its own limit of statements in flight, even if the limiter has free slots', async () => {
    const line = createControlledBatcher({ maxInFlight: 1, limiter: createConcurrencyLimiter(3) });
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

  it('no longer waits once its items have expired', async () => {
    const room = createConcurrencyLimiter(1);
    const join = vi.spyOn(room, 'register');
    const line = createControlledBatcher({ limiter: room });
    const leave = room.acquire();
    const [late] = line.askAll([{ id: 1, isOver: true }]);
    await turn();
    leave();
    await settled();

    await expect(late).rejects.toThrow(DeadlineExceededError);
    expect(join.mock.calls[0]?.[0].oldestPosition()).toBeNull();
  });
});

describe('an observer', () => {
  it('receives each statement, its callers and whether it failed', async () => {
    const seen: unknown[] = [];
    let askers = 0;
    const sends = (name: string, asked: readonly unknown[]) => {
      seen.push([name, asked]);
      return (hasFailed: boolean) => void seen.push(hasFailed);
    };
    const line = createControlledBatcher({
      name: 'some',
      watch: { onQueued: () => (askers += 1), onSend: sends },
    });
    line.askAll(items(1, 2));
    await turn();
    await line.sent[0]?.answer();
    line.askAll(items(3, 3));
    await turn();
    await line.sent[1]?.fail(sqlError('08006'));

    expect(seen).toEqual([['some', [1, 2]], false, ['some', [3]], true]);
  });

  it('receives no statement without a name', async () => {
    const sends = vi.fn();
    const line = createControlledBatcher({ watch: { onSend: sends } });
    line.ask({ id: 1 });
    await turn();
    await line.sent[0]?.answer();

    expect(line.sent).toHaveLength(1);
    expect(sends).not.toHaveBeenCalled();
  });
});

it('perConnection creates one value per connection', () => {
  const [one, other] = [{}, {}] as [Connection, Connection];
  const partOf = perConnection(() => ({}));

  expect(partOf(one)).toBe(partOf(one));
  expect(partOf(other)).not.toBe(partOf(one));
});
