import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type Behaviour,
  createStandIn,
  hang,
  usableScore,
} from '../../testing/stand-ins/stand-in-backend.ts';
import { BackendBusy } from '../scoring/backends/backend-reply.ts';
import type { ScoreRequest } from '../scoring/scoring-backend.ts';
import { askBackend } from './ask-backend.ts';

const TIMINGS = { attemptMs: 100, budgetMs: 20_000, retryAfterCapMs: 50 };
const request = {
  operation: 'agent_score',
  runId: 'run',
  subject: { id: 'id', type: 'agent', name: 'x', repository: 'a/b' },
  facts: {},
  now: new Date(),
} as unknown as ScoreRequest;

/** Requests a score; returns the outcome, the duration and the number of backend calls. */
async function ask(behaviour: Behaviour): Promise<{ outcome: string; ms: number; calls: number }> {
  const backend = createStandIn(behaviour);
  const begun = performance.now();
  const outcome = await askBackend(backend, request, TIMINGS).then(
    () => 'accepted',
    (error) => error.code as string,
  );
  return { outcome, ms: performance.now() - begun, calls: backend.calls.length };
}

const busyFirst = (then: Behaviour): Behaviour => {
  let calls = 0;
  return (given, signal) => {
    calls += 1;
    return calls === 1 ? Promise.reject(new BackendBusy(60_000)) : then(given, signal);
  };
};

describe('asking the backend', () => {
  it.each([
    ['that never answers', hang],
    ['that does not listen to its signal', () => new Promise<never>(() => undefined)],
  ] as [string, Behaviour][])(
    '%s ends at the timeout of the attempt, not of the whole budget',
    async (_what, behaviour) => {
      const { outcome, ms, calls } = await ask(behaviour);

      expect({ outcome, calls }).toEqual({ outcome: 'upstream_timeout', calls: 1 });
      expect(ms).toBeLessThan(TIMINGS.budgetMs / 2);
    },
  );

  it('waits at most the cap after a 429, and gives the second attempt its own timeout', async () => {
    expect(await ask(busyFirst(async (given) => usableScore(given)))).toMatchObject({
      outcome: 'accepted',
      calls: 2,
    });

    const { outcome, ms, calls } = await ask(busyFirst(hang));
    expect({ outcome, calls }).toEqual({ outcome: 'upstream_timeout', calls: 2 });
    expect(ms).toBeLessThan(TIMINGS.budgetMs / 2);
  });

  it('retries at most once, and only after a 429', async () => {
    expect(await ask(() => Promise.reject(new BackendBusy(1)))).toMatchObject({
      outcome: 'upstream',
      calls: 2,
    });
    expect(await ask(() => Promise.reject(new Error('refused')))).toMatchObject({
      outcome: 'upstream',
      calls: 1,
    });
  });

  it('ends with the budget if that is shorter than an attempt, and starts no attempt after it', async () => {
    const backend = createStandIn(hang);
    const timings = { ...TIMINGS, attemptMs: 60_000, budgetMs: 5 };

    await expect(askBackend(backend, request, timings)).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(backend.calls).toHaveLength(1);

    const busy = createStandIn(() => Promise.reject(new BackendBusy(60_000)));
    const short = { ...TIMINGS, budgetMs: 5, retryAfterCapMs: 60_000 };
    await expect(askBackend(busy, request, short)).rejects.toMatchObject({ code: 'upstream_timeout' });
    expect(busy.calls).toHaveLength(1);
  });

  it('leaves no timer after an answer: its signal never fires', async () => {
    let given: AbortSignal | undefined;
    const backend = createStandIn(async (asked, signal) => {
      given = signal;
      return usableScore(asked);
    });
    const attemptMs = 50;

    await askBackend(backend, request, { ...TIMINGS, attemptMs });
    await sleep(attemptMs * 5);

    expect(given?.aborted).toBe(false);
  });
});
