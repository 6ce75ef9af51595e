import { expect, it } from 'vitest';
import { fullPool } from './full-pool.ts';
import { holds } from './run-in-suite.ts';

it('a process with only blocked sessions answers 503 in time and recovers by itself', async () => {
  expect(await holds(fullPool)).toMatchObject({ rounds: 1 });
});
