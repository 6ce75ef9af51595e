import { describe, expect, it, vi } from 'vitest';
import { MOST_SILENT, PULSE_MS, startHeartbeat } from './heartbeat.ts';

/** A session that answers when the test says so, and a process whose time the test makes. */
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
  const end = startHeartbeat({ ask, onAnswer, onSilence }, time);
  return {
    asked,
    onAnswer,
    onSilence,
    end,
    isPending: () => due !== null,
    /** Goes on to the next pulse; `lateMs`: this process stood still for so long before it saw that. */
    async pulse(lateMs = 0) {
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
  it('says up to when all was heard: the moment it was asked, not when the answer came', async () => {
    const world = makeWorld();
    await world.pulse();
    await world.answer();
    await world.pulse();
    await world.pulse();
    await world.answer();

    expect(world.onAnswer.mock.calls).toEqual([[PULSE_MS], [2 * PULSE_MS]]);
    expect(world.onSilence).not.toHaveBeenCalled();
  });

  it('does not take its own process standing still for the session’s death, however long', async () => {
    const world = makeWorld();
    await world.pulse();
    for (let stall = 0; stall < MOST_SILENT - 1; stall += 1) await world.pulse(3_600_000);

    await world.answer();

    expect(world.onSilence).not.toHaveBeenCalled();
    expect(world.onAnswer).toHaveBeenCalledTimes(1);
    // That answer is hours old: the next question does not wait for its turn.
    expect(world.asked).toHaveLength(2);
    await world.answer();
    expect(world.onAnswer).toHaveBeenCalledTimes(2);
  });

  it('ends where the session stays silent, and tells so once', async () => {
    const world = makeWorld();
    for (let pulse = 0; pulse <= MOST_SILENT + 3; pulse += 1) await world.pulse();
    await world.answer();

    expect(world.onSilence).toHaveBeenCalledTimes(1);
    expect([world.onAnswer.mock.calls, world.asked.length, world.isPending()]).toEqual([[], 1, false]);
  });

  it('ends with the first failure of the session, and tells of it', async () => {
    const world = makeWorld();
    await world.pulse();
    world.asked[0]?.fail(new Error('gone'));
    await settled();

    expect(world.onSilence).toHaveBeenCalledWith(new Error('gone'));
    expect(world.isPending()).toBe(false);
  });

  it('says nothing once it was ended', async () => {
    const world = makeWorld();
    await world.pulse();
    world.end();
    await world.answer();

    expect([world.onAnswer.mock.calls, world.isPending()]).toEqual([[], false]);
  });
});
