import { describe, expect, it } from 'vitest';
import { answerWhenTold, createStandIn, hang } from '../../testing/stand-ins/stand-in-backend.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { createRoomForCalls } from './room-for-calls.ts';

const request = { subject: { type: 'agent' } } as ScoreRequest;
const NO_ROOM = { code: 'unavailable', status: 503 };

/** Work that ends when it is told to. */
function createWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  return { work, ends, endAll: () => ends.splice(0).map((end) => end()) };
}

describe('room for calls', () => {
  it('refuses a call beyond it at once, without doing its work, and takes the next one when one has ended', async () => {
    const room = createRoomForCalls({ atWork: 2, scoring: 10 });
    const { work, ends, endAll } = createWork();

    const first = room.take(work);
    const second = room.take(work);
    await expect(room.take(work)).rejects.toMatchObject(NO_ROOM);
    expect(() => room.require()).toThrow(expect.objectContaining(NO_ROOM));
    expect(ends).toHaveLength(2);
    ends.shift()?.();
    await first;
    room.require();
    const third = room.take(work);
    endAll();
    await Promise.all([second, third]);

    expect(room.counts).toEqual({ atWork: 0, scoring: 0, refused: 2 });
  });

  it('gives the place of a failed call back', async () => {
    const room = createRoomForCalls({ atWork: 1, scoring: 1 });

    await expect(room.take(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(room.counts.atWork).toBe(0);
    await room.take(async () => undefined);
  });

  it('has room for others while calls are at the backend, as many as may be there', async () => {
    const room = createRoomForCalls({ atWork: 1, scoring: 2 });
    const { behaviour, tell } = answerWhenTold();
    const backend = room.backend(createStandIn(behaviour));
    const call = () => room.take(() => backend.score(request, new AbortController().signal));

    const calls = [call(), call()];
    const counted = { ...room.counts };
    await expect(call()).rejects.toMatchObject(NO_ROOM);
    tell();
    await Promise.all(calls);

    expect(counted).toEqual({ atWork: 0, scoring: 2, refused: 0 });
    expect(room.counts).toMatchObject({ atWork: 0, scoring: 0 });
    await call();
  });

  it('counts a call that gave up on its backend as at work again, once', async () => {
    const room = createRoomForCalls({ atWork: 1, scoring: 1 });
    const backend = room.backend(createStandIn(hang));
    const patience = new AbortController();
    const { work, endAll } = createWork();

    const call = room.take(async () => {
      await backend.score(request, patience.signal).catch(() => undefined);
      await work();
    });
    patience.abort();
    await Promise.resolve();
    const counted = { ...room.counts };
    while (room.counts.atWork > 0) {
      endAll();
      await Promise.resolve();
    }
    await call;

    expect(counted).toMatchObject({ atWork: 1, scoring: 0 });
    expect(room.counts).toMatchObject({ atWork: 0, scoring: 0 });
  });

  it('spreads when those who are refused come back', () => {
    const room = createRoomForCalls({ atWork: 0, scoring: 0 });

    const waits = Array.from({ length: 6 }, () => {
      try {
        room.require();
      } catch (error) {
        return (error as { details: { retryAfterSeconds: number } }).details.retryAfterSeconds;
      }
      return 0;
    });

    expect(waits.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
  });
});
