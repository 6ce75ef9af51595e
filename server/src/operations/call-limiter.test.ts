import { describe, expect, it } from 'vitest';
import { answerWhenReleased, createStandIn, hang } from '../../testing/stand-ins/stand-in-backend.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { createCallLimiter } from './call-limiter.ts';

const request = { subject: { type: 'agent' } } as ScoreRequest;
const NO_ROOM = { code: 'unavailable', status: 503 };

/** Creates work that ends when the test calls its function in `ends`. */
function createWork() {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => void ends.push(resolve));
  return { work, ends, endAll: () => ends.splice(0).map((end) => end()) };
}

describe('the call limiter', () => {
  it('refuses a call beyond the limit at once, and accepts the next one after a call has ended', async () => {
    const limiter = createCallLimiter({ atWork: 2, scoring: 10 });
    const { work, ends, endAll } = createWork();

    const first = limiter.run(work);
    const second = limiter.run(work);
    await expect(limiter.run(work)).rejects.toMatchObject(NO_ROOM);
    expect(() => limiter.require()).toThrow(expect.objectContaining(NO_ROOM));
    expect(ends).toHaveLength(2);
    ends.shift()?.();
    await first;
    limiter.require();
    const third = limiter.run(work);
    endAll();
    await Promise.all([second, third]);

    expect(limiter.counts).toEqual({ atWork: 0, scoring: 0, refused: 2 });
  });

  it('releases the slot of a failed call', async () => {
    const limiter = createCallLimiter({ atWork: 1, scoring: 1 });

    await expect(limiter.run(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');

    expect(limiter.counts.atWork).toBe(0);
    await limiter.run(async () => undefined);
  });

  it('accepts others while calls wait for the backend, up to the limit for the backend', async () => {
    const limiter = createCallLimiter({ atWork: 1, scoring: 2 });
    const { behaviour, tell } = answerWhenReleased();
    const backend = limiter.backend(createStandIn(behaviour));
    const call = () => limiter.run(() => backend.score(request, new AbortController().signal));

    const calls = [call(), call()];
    const counted = { ...limiter.counts };
    await expect(call()).rejects.toMatchObject(NO_ROOM);
    tell();
    await Promise.all(calls);

    expect(counted).toEqual({ atWork: 0, scoring: 2, refused: 0 });
    expect(limiter.counts).toMatchObject({ atWork: 0, scoring: 0 });
    await call();
  });

  it('counts a call that stopped waiting for its backend as at work again, once', async () => {
    const limiter = createCallLimiter({ atWork: 1, scoring: 1 });
    const backend = limiter.backend(createStandIn(hang));
    const patience = new AbortController();
    const { work, endAll } = createWork();

    const call = limiter.run(async () => {
      await backend.score(request, patience.signal).catch(() => undefined);
      await work();
    });
    patience.abort();
    await Promise.resolve();
    const counted = { ...limiter.counts };
    while (limiter.counts.atWork > 0) {
      endAll();
      await Promise.resolve();
    }
    await call;

    expect(counted).toMatchObject({ atWork: 1, scoring: 0 });
    expect(limiter.counts).toMatchObject({ atWork: 0, scoring: 0 });
  });

  it('varies Retry-After between refused calls', () => {
    const limiter = createCallLimiter({ atWork: 0, scoring: 0 });

    const waits = Array.from({ length: 6 }, () => {
      try {
        limiter.require();
      } catch (error) {
        return (error as { details: { retryAfterSeconds: number } }).details.retryAfterSeconds;
      }
      return 0;
    });

    expect(waits.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
  });
});
