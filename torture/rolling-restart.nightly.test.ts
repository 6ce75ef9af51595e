import { expect, it } from 'vitest';
import { rollingRestart } from './rolling-restart.ts';
import { holds } from './run-in-suite.ts';

it('servers stopped under load answer every call that they accepted', async () => {
  expect(await holds(rollingRestart)).toMatchObject({ restarts: 2, lost: 0, doubled: 0 });
});
