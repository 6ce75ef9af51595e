import { expect, it } from 'vitest';
import { holds } from './run-in-suite.ts';
import { serverKills } from './server-kills.ts';

it('servers killed repeatedly under load lose no receipt and charge nothing twice', async () => {
  expect(await holds(serverKills)).toMatchObject({
    kills: serverKills.amount.suite,
    lost: 0,
    doubled: 0,
  });
});
