import { describe, expect, it } from 'vitest';
import { readAhead } from './read-batches.ts';

async function* counting(read: number[], last: number): AsyncGenerator<number> {
  try {
    for (let number = 1; number <= last; number += 1) {
      read.push(number);
      yield number;
    }
    throw new Error('no more');
  } finally {
    read.push(0);
  }
}

describe('reading ahead', () => {
  it('reads one item ahead while another is processed', async () => {
    const read: number[] = [];
    for await (const number of readAhead(counting(read, 9))) {
      await Promise.resolve();
      expect(read).toEqual(Array.from({ length: number + 1 }, (_, place) => place + 1));
      if (number === 3) break;
    }

    expect(read).toEqual([1, 2, 3, 4, 0]);
  });

  it('reports a failure after the items before it', async () => {
    const seen: number[] = [];
    const all = (async () => {
      for await (const number of readAhead(counting([], 2))) seen.push(number);
    })();

    await expect(all).rejects.toThrow('no more');
    expect(seen).toEqual([1, 2]);
  });
});
