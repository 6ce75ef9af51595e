import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '../../torture/random.ts';

/** Chance for the test that asks: PROPERTY_SEED repeats a run; without it each has a seed of its own, which a failure tells. */
export function testChance(): Random {
  const seed = Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31));
  onTestFailed(() => console.error(`the chance of this test again: PROPERTY_SEED=${seed}`));
  return createRandom(seed);
}
