import { expect, it } from 'vitest';
import { deadlockStorm } from './deadlock-storm.ts';
import { holds } from './run-in-suite.ts';

it('six thousand retries on one account cause no deadlock and no statement longer than a second', async () => {
  expect(await holds(deadlockStorm)).toMatchObject({ deadlocks: 0, lost: 0, doubled: 0 });
});
