import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Coalescing, coalesce, type UNDECIDED } from '../src/database/coalesce.ts';

/** Something that is sent with others. */
export interface Item {
  id: number;
  lane?: string;
  key?: string;
  /** Nobody waits for it from the beginning. */
  isOver?: boolean;
}

type Answer = string | typeof UNDECIDED;

/** A statement under way: the test says when it ends, and how. */
interface Sent {
  ids: number[];
  answer(of?: (id: number) => Answer): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** What an answer brings about is sent in the turn after it. */
export async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** What an item is answered. */
export const answerOf = (id: number) => `answer ${id}`;

/** What is sent, under the test's control. */
export function createLine(options: Partial<Coalescing<Item, string>> = {}) {
  const sent: Sent[] = [];
  const ask = coalesce<Item, string>({
    laneOf: ({ lane }) => lane ?? 'one',
    keyOf: ({ id, key }) => key ?? String(id),
    untilOf: ({ isOver }) => (isOver ? 0 : undefined),
    run: (items) =>
      new Promise((resolve, reject) => {
        const ids = items.map(({ id }) => id);
        sent.push({
          ids,
          answer: async (of = answerOf) => {
            resolve(ids.map(of));
            await settled();
          },
          fail: async (error) => {
            reject(error);
            await settled();
          },
        });
      }),
    ...options,
  });
  const askAll = (items: readonly Item[]) => {
    const answers = items.map((item) => ask(item));
    // A failure that the test looks at later is not one that nobody looks at.
    for (const answer of answers) answer.catch(() => undefined);
    return answers;
  };
  return { ask, askAll, sent, ids: () => sent.map(({ ids }) => ids) };
}

/** Items with these ids. */
export const items = (from: number, to: number, more: Partial<Item> = {}): Item[] =>
  Array.from({ length: to - from + 1 }, (_, place) => ({ id: from + place, ...more }));

/** An error of the server's. */
export const refused = (code: string) => Object.assign(new Error(`refused with ${code}`), { code });

/** Fills both places, so that what comes next has to wait. */
export async function keepBusy(line: ReturnType<typeof createLine>) {
  const first = line.ask({ id: -1, lane: 'busy' });
  await turn();
  const second = line.ask({ id: -2, lane: 'busy' });
  await turn();
  expect(line.ids()).toEqual([[-1], [-2]]);
  return Promise.all([first, second]);
}

/** What each was answered, or what it failed with. */
export const told = (answers: Promise<string>[]) =>
  Promise.all(answers.map((answer) => answer.catch((error: Error) => error.message)));
