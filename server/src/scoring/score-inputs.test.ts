import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { hashInputs } from './score-inputs.ts';

const inputs = (facts: object) => ({ subjectType: 'creator', now: '2026-11-20T00:00:00Z', facts }) as never;

function bytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

describe('the hash of what a score was made from', () => {
  it('is the same whatever the order of the facts and the moment, asked for once or again', () => {
    const one = hashInputs(inputs({ stars: 1, forks: 2 }));

    expect(hashInputs(inputs({ stars: 1, forks: 2 }))).toBe(one);
    expect(hashInputs(inputs({ forks: 2, stars: 1 }))).toBe(one);
    expect(
      hashInputs({ ...(inputs({ stars: 1, forks: 2 }) as object), now: '2027-01-01T00:00:00Z' } as never),
    ).toBe(one);
    expect(hashInputs(inputs({ stars: 2, forks: 2 }))).not.toBe(one);
  });

  it.each([
    ['few long', 600, 100_000],
    ['many short', 60_000, 1_000],
  ])('takes no memory that grows with what was asked for: %s ones', (_what, count, length) => {
    hashInputs(inputs({}));
    const before = bytesInUse();

    for (let each = 0; each < count; each += 1) hashInputs(inputs({ name: `${each} ${'x'.repeat(length)}` }));

    // A cache of all these inputs would take 60 MB.
    expect(bytesInUse() - before).toBeLessThan(20_000_000);
  });
});
