import { describe, expect, it } from 'vitest';
import { createAccountQueue } from './registration-keys.ts';

const MOST_MS = 100;

/** Creates work that ends when the test calls `end`. */
function openWork() {
  let end: (error?: Error) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { done, end: (error?: Error) => end(error) };
}

describe('a keyed mutex', () => {
  it('runs work of one key in order and of other keys concurrently, even after failures', async () => {
    const oneAtATime = createAccountQueue(MOST_MS, () => 0);
    const begun: string[] = [];
    const first = openWork();
    const run = (key: string, name: string, work = Promise.resolve()) =>
      oneAtATime(key, async () => {
        begun.push(name);
        await work;
        return name;
      });

    const one = run('a', 'one', first.done);
    const two = run('a', 'two');
    expect(await run('b', 'other')).toBe('other');
    expect(begun).toEqual(['one', 'other']);
    first.end(new Error('failed'));

    await expect(one).rejects.toThrow('failed');
    expect(await two).toBe('two');
    expect(await run('a', 'three')).toBe('three');
    expect(begun).toEqual(['one', 'other', 'two', 'three']);
  });

  it('rejects work that has waited too long as busy', async () => {
    let now = 0;
    const oneAtATime = createAccountQueue(MOST_MS, () => now);
    const first = openWork();
    const begun: string[] = [];
    const one = oneAtATime('a', () => first.done);
    const late = oneAtATime('a', async () => begun.push('late'));
    now = MOST_MS;
    const after = oneAtATime('a', async () => begun.push('after'));
    first.end();

    await one;
    await expect(late).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('busy'),
      details: { retryAfterSeconds: 2 },
    });
    await after;
    expect(begun).toEqual(['after']);
  });
});
