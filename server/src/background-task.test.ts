import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { repeat } from './background-task.ts';

function log() {
  const lines: { level: string; fields: object }[] = [];
  const push = (level: string) => (fields: object) => void lines.push({ level, fields });
  return { lines, info: push('info'), warn: push('warn') };
}

describe('a background task', () => {
  it('goes on after a round that failed, and tells of it without the error’s text', async () => {
    const told = log();
    let rounds = 0;
    const task = repeat(
      'reap',
      5,
      async () => {
        rounds++;
        if (rounds === 1) throw new Error('password=secret');
        return rounds === 2 ? 3 : 0;
      },
      told,
    );
    while (rounds < 4) await sleep(2);
    await task.stop();

    expect(told.lines).toEqual([
      { level: 'warn', fields: { task: 'reap', failure: 'Error' } },
      { level: 'info', fields: { task: 'reap', count: 3 } },
    ]);
  });

  it('stops after the round under way, and starts no other', async () => {
    let [started, finished] = [0, 0];
    const task = repeat('slow', 1, async () => ++started && sleep(30).then(() => ++finished), log());
    while (started === 0) await sleep(1);

    await task.stop();
    await sleep(20);

    expect([started, finished]).toEqual([1, 1]);
  });
});
