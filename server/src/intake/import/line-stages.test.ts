import { expect, it } from 'vitest';
import { LineStages } from './scan-files.ts';

it('returns the stage of each line of a long file, and none for the other lines', () => {
  const stages = new LineStages();

  stages.set(1, 'listing');
  stages.set(3, 'repository_id');
  stages.set(100_000, 'relation');

  const told = [1, 2, 3, 100_000, 100_001, 300_000].map((line) =>
    (['repository_id', 'listing', 'relation'] as const).filter((stage) => stages.has(line, stage)),
  );
  expect(told).toEqual([['listing'], [], ['repository_id'], ['relation'], [], []]);
});
