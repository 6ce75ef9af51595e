import { expect, it } from 'vitest';
import { rollingRestart } from './rolling-restart.ts';
import { holds } from './run-in-suite.ts';

it('servers told to stop under load answer every call that they took', async () => {
  expect(await holds(rollingRestart)).toMatchObject({ restarts: 2, lost: 0, doubled: 0 });
});
