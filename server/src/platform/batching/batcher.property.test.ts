import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBatcher, RETRY_IN_NEXT_BATCH } from './batcher.ts';

interface Item {
  id: number;
  lane: string;
  key?: string;
}

const answerOf = (id: number) => `answer ${id}`;
const REFUSED = 'another row stands in the way';
const refused = () => Object.assign(new Error(REFUSED), { code: '23505' });

it('gives each item its own result exactly once, whatever fails, waits or is retried', async () => {
  const asked = fc.record({
    lane: fc.constantFrom('a', 'b', 'c', 'd'),
    key: fc.option(fc.constantFrom('k', 'l', 'm'), { nil: undefined }),
    isBad: fc.boolean(),
    undecided: fc.nat(2),
    turnsBefore: fc.nat(2),
  });
  const sizes = fc.record({
    maxBatch: fc.integer({ min: 1, max: 5 }),
    maxInFlight: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { maxLength: 30 }), sizes, async (all, { maxBatch, maxInFlight }) => {
      const left = all.map(({ undecided }) => undecided);
      const underWay = new Set<string>();
      const keyOf = ({ id, key }: Item) => key ?? `own ${id}`;
      let [batches, mostBatches] = [0, 0];
      const ask = createBatcher<Item, string>({
        partitionKeyOf: ({ lane }) => lane,
        keyOf,
        maxBatch,
        maxInFlight,
        async run(some) {
          expect(some.length).toBeGreaterThan(0);
          expect(some.length).toBeLessThanOrEqual(maxBatch);
          for (const item of some) {
            expect(underWay.has(keyOf(item))).toBe(false);
            underWay.add(keyOf(item));
          }
          if (some.length > 1) batches += 1;
          mostBatches = Math.max(mostBatches, batches);
          await turn();
          if (some.length > 1) batches -= 1;
          for (const item of some) underWay.delete(keyOf(item));
          if (some.some(({ id }) => all[id]?.isBad)) throw refused();
          return some.map(({ id }, place) => {
            if (place === 0 || left[id] === 0) return answerOf(id);
            left[id] = (left[id] as number) - 1;
            return RETRY_IN_NEXT_BATCH;
          });
        },
      });
      const answers: Promise<string>[] = [];
      for (const [id, { lane, key, turnsBefore }] of all.entries()) {
        for (let turns = 0; turns < turnsBefore; turns += 1) await turn();
        answers.push(ask({ id, lane, ...(key && { key }) }).catch((error: Error) => error.message));
      }

      const expected = all.map(({ isBad }, id) => (isBad ? REFUSED : answerOf(id)));
      expect(await Promise.all(answers)).toEqual(expected);
      expect(mostBatches).toBeLessThanOrEqual(maxInFlight);
    }),
  );
});
