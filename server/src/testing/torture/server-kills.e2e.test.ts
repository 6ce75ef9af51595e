import { expect, it } from 'vitest';
import { rollingRestart } from './rolling-restart.ts';
import { holds } from './run-in-suite.ts';
import { serverKills } from './server-kills.ts';

it('servers killed again and again under load lose no receipt and double no charge', async () => {
  expect(await holds(serverKills)).toMatchObject({ kills: 10, lost: 0, doubled: 0 });
});

it('servers told to stop under load answer every call that they took', async () => {
  expect(await holds(rollingRestart)).toMatchObject({ restarts: 2, lost: 0, doubled: 0 });
});
