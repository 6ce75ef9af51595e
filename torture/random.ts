/** Seeded random generator: the same seed gives the same sequence. */
export interface Random {
  readonly seed: number;
  /** Returns a number from 0 to just below 1. */
  next(): number;
  /** Returns a whole number from 0 to `below` - 1. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Derives an independent generator for one part of an experiment, so that parts do not affect each other's numbers. */
  fork(name: string): Random;
}

/** Creates a Mulberry32 generator: small, fast, and good enough to choose times and orders. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] as never,
    fork: (name) => createRandom(hash(name, seed)),
  };
}

/** Computes the FNV-1a hash of a text, started from the seed. */
function hash(text: string, seed: number): number {
  let value = (2_166_136_261 ^ seed) >>> 0;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}
