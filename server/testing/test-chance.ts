import { randomInt } from 'node:crypto';
import { onTestFailed } from 'vitest';
import { createRandom, type Random } from '../../torture/random.ts';

/**
 * Creates a random generator for a test. PROPERTY_SEED repeats a run; by default each has a new seed, printed on
 * failure.
 */
export function seededRandom(): Random {
  const seed = Number(process.env.PROPERTY_SEED ?? randomInt(2 ** 31));
  onTestFailed(() => console.error(`the chance of this test again: PROPERTY_SEED=${seed}`));
  return createRandom(seed);
}
