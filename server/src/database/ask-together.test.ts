import { describe, expect, it } from 'vitest';
import { askTogether } from './ask-together.ts';

/** A question that is answered when the test says so, by how often it was asked. */
function makeQuestion() {
  const open: { answer(): void; fail(): void }[] = [];
  const ask = askTogether(
    () =>
      new Promise<number>((resolve, reject) => {
        const number = open.length + 1;
        open.push({ answer: () => resolve(number), fail: () => reject(new Error(`${number}`)) });
      }),
  );
  return { ask, open };
}

const settled = () => new Promise(setImmediate);

describe('a question for everybody', () => {
  it('is asked once for all who come while another is under way, and never answered by that one', async () => {
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

  it('is asked again after one that failed', async () => {
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
