import { expect, it } from 'vitest';
import { holds } from './run-in-suite.ts';
import { serverKills } from './server-kills.ts';

it('servers killed again and again under load lose no receipt and double no charge', async () => {
  expect(await holds(serverKills)).toMatchObject({ kills: 10, lost: 0, doubled: 0 });
});
