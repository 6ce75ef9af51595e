import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { schedule } from './background-job.ts';

function log() {
  const lines: { level: string; fields: object }[] = [];
  const push = (level: string) => (fields: object) => void lines.push({ level, fields });
  return { lines, info: push('info'), warn: push('warn') };
}

describe('a background task', () => {
  it('continues after a failed run, and logs the reason without secrets', async () => {
    const told = log();
    let rounds = 0;
    const task = schedule(
      'reap',
      5,
      async () => {
        rounds++;
        if (rounds === 1) throw new Error('refused: password=secret at postgres://me:hunter2@db/x\nSELECT 1');
        return rounds === 2 ? 3 : 0;
      },
      told,
    );
    while (rounds < 4) await sleep(2);
    await task.stop();

    expect(told.lines).toEqual([
      {
        level: 'warn',
        fields: {
          task: 'reap',
          failure: 'Error',
          reason: 'refused: password=… at postgres://…@db/x',
          failures: 1,
        },
      },
      { level: 'info', fields: { task: 'reap', count: 3 } },
    ]);
  });

  it('tells the code of an error, also of one that another error was made of', async () => {
    const told = log();
    const failures = [
      Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' }),
      Object.assign(new Error('too long'), { parent: { code: '57014' } }),
      Object.assign(new Error('odd'), { code: 7 }),
      new Error('refused: Authorization: Bearer s3cr3t, for now'),
    ];
    const task = schedule('fails', 1, () => Promise.reject(failures[told.lines.length] ?? new Error()), told);
    await vi.waitUntil(() => told.lines.length >= 4, { timeout: 50_000 });
    await task.stop();

    const reasons = told.lines.map(({ fields }) => (fields as { reason: string }).reason);
    expect(reasons.slice(0, 4)).toEqual([
      'connect refused (ECONNREFUSED)',
      'too long (57014)',
      'odd',
      'refused: Authorization: … for now',
    ]);
  });

  it('stops after the round under way, and starts no other', async () => {
    let [started, finished] = [0, 0];
    const task = schedule('slow', 1, async () => ++started && sleep(30).then(() => ++finished), log());
    while (started === 0) await sleep(1);

    await task.stop();
    await sleep(20);

    expect([started, finished]).toEqual([1, 1]);
  });

  it('pauses longer after each failed run, and normally again after a successful one', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const begun: number[] = [];
    const startedAt = Date.now();
    const task = schedule(
      'fails',
      1_000,
      async () => {
        begun.push(Date.now() - startedAt);
        if (begun.length !== 6) throw new Error('failed');
        return 0;
      },
      log(),
      { longestPauseMs: 10_000 },
    );
    await vi.advanceTimersByTimeAsync(40_000);
    await task.stop();
    vi.restoreAllMocks();
    vi.useRealTimers();

    const pauses = begun.map((at, place) => (at - (begun[place - 1] ?? 0)) / 1_000);
    expect(pauses).toEqual([1, 2, 4, 8, 10, 10, 1, 2]);
  });

  it('continues after a run that exceeds its deadline', async () => {
    vi.useFakeTimers();
    const told = log();
    let rounds = 0;
    const task = schedule(
      'hangs',
      1_000,
      () => {
        rounds += 1;
        return rounds === 1 ? new Promise<number>(() => undefined) : Promise.resolve(2);
      },
      told,
      { deadlineMs: 5_000 },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await task.stop();
    vi.useRealTimers();

    expect(rounds).toBeGreaterThan(1);
    expect(told.lines.slice(0, 2)).toEqual([
      {
        level: 'warn',
        fields: {
          ...{ task: 'hangs', failure: 'JobDeadlineExceededError', failures: 1 },
          reason: 'The job has not finished within 5 s.',
        },
      },
      { level: 'info', fields: { task: 'hangs', count: 2 } },
    ]);
  });
});
