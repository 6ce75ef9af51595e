import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type BatcherOptions,
  createBatcher,
  type RETRY_IN_NEXT_BATCH,
} from '../src/platform/batching/batcher.ts';

/** Item of a batch. */
export interface Item {
  id: number;
  lane?: string;
  key?: string;
  /** True if its deadline has already passed. */
  isOver?: boolean;
}

type Answer = string | typeof RETRY_IN_NEXT_BATCH;

/** Statement in flight, which the test completes or fails. */
interface Sent {
  ids: number[];
  answer(of?: (id: number) => Answer): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** Waits until batches triggered by a result have been sent. */
export async function settled(): Promise<void> {
  await turn();
  await turn();
}

/** Returns the result of an item. */
export const answerOf = (id: number) => `answer ${id}`;

/** Creates a batcher whose statements the test answers. */
export function createControlledBatcher(options: Partial<BatcherOptions<Item, string>> = {}) {
  const sent: Sent[] = [];
  const ask = createBatcher<Item, string>({
    partitionKeyOf: ({ lane }) => lane ?? 'one',
    keyOf: ({ id, key }) => key ?? String(id),
    deadlineOf: ({ isOver }) => (isOver ? 0 : undefined),
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
    // Failures are examined later, so they must not count as unhandled.
    for (const answer of answers) answer.catch(() => undefined);
    return answers;
  };
  return { ask, askAll, sent, ids: () => sent.map(({ ids }) => ids) };
}

/** Creates items with these ids. */
export const items = (from: number, to: number, more: Partial<Item> = {}): Item[] =>
  Array.from({ length: to - from + 1 }, (_, place) => ({ id: from + place, ...more }));

/** Creates an error with a SQLSTATE, as from the server. */
export const sqlError = (code: string) => Object.assign(new Error(`refused with ${code}`), { code });

/** Occupies both slots, so that later items have to wait. */
export async function keepBusy(line: ReturnType<typeof createControlledBatcher>) {
  const first = line.ask({ id: -1, lane: 'busy' });
  await turn();
  const second = line.ask({ id: -2, lane: 'busy' });
  await turn();
  expect(line.ids()).toEqual([[-1], [-2]]);
  return Promise.all([first, second]);
}

/** Returns the result or error message of each item. */
export const outcomes = (answers: Promise<string>[]) =>
  Promise.all(answers.map((answer) => answer.catch((error: Error) => error.message)));
