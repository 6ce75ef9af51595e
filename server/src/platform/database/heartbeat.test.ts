import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_MISSED_HEARTBEATS, HEARTBEAT_INTERVAL_MS, startHeartbeat } from './persistent-session.ts';

/** Creates a session that the test answers, with a clock that the test controls. */
function makeWorld() {
  let now = 0;
  let due: { at: number; work: () => void } | null = null;
  const time = {
    now: () => now,
    later(work: () => void, ms: number) {
      const own = { at: now + ms, work };
      due = own;
      return () => {
        if (due === own) due = null;
      };
    },
  };
  const asked: { answer(): void; fail(error: Error): void }[] = [];
  const ask = () =>
    new Promise<void>((answer, fail) => {
      asked.push({ answer, fail });
    });
  const [onAnswer, onSilence] = [vi.fn(), vi.fn()];
  const end = startHeartbeat({ probe: ask, onAnswer, onSilence }, time);
  return {
    asked,
    onAnswer,
    onSilence,
    end,
    isPending: () => due !== null,
    /** Advances to the next heartbeat; `lateMs` is how long this process was paused before it. */
    async beat(lateMs = 0) {
      const next = due;
      if (!next) return;
      [due, now] = [null, next.at + lateMs];
      next.work();
      await settled();
    },
    async answer() {
      asked.at(-1)?.answer();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the heartbeat of a session', () => {
  it('reports the time of the probe, not of its answer', async () => {
    const world = makeWorld();
    await world.beat();
    await world.answer();
    await world.beat();
    await world.beat();
    await world.answer();

    expect(world.onAnswer.mock.calls).toEqual([[HEARTBEAT_INTERVAL_MS], [2 * HEARTBEAT_INTERVAL_MS]]);
    expect(world.onSilence).not.toHaveBeenCalled();
  });

  it('does not mistake a pause of its own process for a dead session, however long', async () => {
    const world = makeWorld();
    await world.beat();
    for (let stall = 0; stall < DEFAULT_MISSED_HEARTBEATS - 1; stall += 1) await world.beat(3_600_000);

    await world.answer();

    expect(world.onSilence).not.toHaveBeenCalled();
    expect(world.onAnswer).toHaveBeenCalledTimes(1);
    // The answer is hours old, so the next probe does not wait for a heartbeat.
    expect(world.asked).toHaveLength(2);
    await world.answer();
    expect(world.onAnswer).toHaveBeenCalledTimes(2);
  });

  it('ends when the session stays silent, and reports it once', async () => {
    const world = makeWorld();
    for (let beat = 0; beat <= DEFAULT_MISSED_HEARTBEATS + 3; beat += 1) await world.beat();
    await world.answer();

    expect(world.onSilence).toHaveBeenCalledTimes(1);
    expect([world.onAnswer.mock.calls, world.asked.length, world.isPending()]).toEqual([[], 1, false]);
  });

  it('ends with the first failure of the session, and reports it', async () => {
    const world = makeWorld();
    await world.beat();
    world.asked[0]?.fail(new Error('gone'));
    await settled();

    expect(world.onSilence).toHaveBeenCalledWith(new Error('gone'));
    expect(world.isPending()).toBe(false);
  });

  it('reports nothing after it was stopped', async () => {
    const world = makeWorld();
    await world.beat();
    world.end();
    await world.answer();

    expect([world.onAnswer.mock.calls, world.isPending()]).toEqual([[], false]);
  });
});
