import { describe, expect, it } from 'vitest';
import { AdaptiveBatchSize } from './score-subjects.ts';

describe('BatchSize', () => {
  it('grows step by step while batches are quick, to a bound', () => {
    const size = new AdaptiveBatchSize();
    const sizes = [size.rows];
    for (let batch = 0; batch < 5; batch += 1) {
      size.learn(size.rows, 5);
      sizes.push(size.rows);
    }

    expect(sizes).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  it('shrinks at once so that the next batch takes about 200 ms', () => {
    const size = new AdaptiveBatchSize();

    size.learn(100, 800);

    expect(size.rows).toBe(25);
  });

  it('does not shrink below a batch that is worth its transaction', () => {
    const size = new AdaptiveBatchSize();

    size.learn(100, 60_000);

    expect(size.rows).toBe(20);
  });
});
