import { expect, it } from 'vitest';
import { deadlockStorm } from './deadlock-storm.ts';
import { holds } from './run-in-suite.ts';

it('half a minute of retries on one account makes no deadlock and no statement of a second', async () => {
  expect(await holds(deadlockStorm)).toMatchObject({ deadlocks: 0, lost: 0, doubled: 0 });
});
