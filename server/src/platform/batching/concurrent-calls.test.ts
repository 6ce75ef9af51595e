import { describe, expect, it } from 'vitest';
import { createTurns, singleFlight } from './concurrent-calls.ts';

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

/** Creates a piece of work that the test ends. */
function pieceOf(log: string[], name: string) {
  let resolve: (name: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...ends) => {
    [resolve, reject] = ends;
  });
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs pieces of work one at a time, in order, also after one fails', async () => {
  const turns = createTurns({ concurrent: 1, maxWaiting: 5, message: 'busy' });
  const log: string[] = [];
  const [a, b, c] = [pieceOf(log, 'a'), pieceOf(log, 'b'), pieceOf(log, 'c')];
  const all = [a, b, c].map(({ work }) => turns(work));
  const failed = expect(all[1]).rejects.toThrow('b');

  await turn();
  expect(log).toEqual(['a']);
  a.end();
  await turn();
  expect(log).toEqual(['a', 'b']);
  b.fail();
  await failed;
  c.end();
  expect(await all[2]).toBe('c');
  expect(log).toEqual(['a', 'b', 'c']);
});

it('refuses work while the most pieces wait, and takes it again afterwards', async () => {
  const turns = createTurns({ concurrent: 1, maxWaiting: 1, message: 'Too many. Retry in a moment.' });
  const log: string[] = [];
  const [a, b, c] = [pieceOf(log, 'a'), pieceOf(log, 'b'), pieceOf(log, 'c')];
  const running = [turns(a.work), turns(b.work)];

  await expect(turns(c.work)).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Too many. Retry in a moment.',
  });
  a.end();
  b.end();
  await Promise.all(running);
  c.end();
  expect(await turns(c.work)).toBe('c');
  expect(log).toEqual(['a', 'b', 'c']);
});

it('runs as many pieces of work at a time as it is told', async () => {
  const turns = createTurns({ concurrent: 2, maxWaiting: 1, message: 'busy' });
  const log: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => pieceOf(log, name));
  const all = [a, b, c].map((piece) => turns(piece?.work ?? Promise.reject));

  await turn();
  expect(log).toEqual(['a', 'b']);
  b?.end();
  await turn();
  expect(log).toEqual(['a', 'b', 'c']);
  a?.end();
  c?.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});
