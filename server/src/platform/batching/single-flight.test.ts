import { describe, expect, it } from 'vitest';
import { singleFlight } from './single-flight.ts';

/** Creates a request that the test answers, and that returns how often it was sent. */
function makeQuestion() {
  const open: { answer(): void; fail(): void }[] = [];
  const ask = singleFlight(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = open.length + 1;
        open.push({ answer: () => resolve(number), fail: () => reject(new Error(`${number}`)) });
      }),
  );
  return { ask, open };
}

const settled = () => new Promise(setImmediate);

describe('a shared request (single flight)', () => {
  it('is sent once for all callers during an earlier one, and never returns the result of that one', async () => {
    const { ask, open } = makeQuestion();

    const first = ask();
    const later = [ask(), ask(), ask()];
    expect(open).toHaveLength(1);
    open[0]?.answer();
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.answer();

    expect(await first).toBe(1);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
  });

  it('is sent again after one that failed', async () => {
    const { ask, open } = makeQuestion();

    const first = ask();
    const second = ask();
    open[0]?.fail();
    await expect(first).rejects.toThrow('1');
    await settled();
    open[1]?.answer();

    expect(await second).toBe(2);
    void ask();
    expect(open).toHaveLength(3);
  });
});
