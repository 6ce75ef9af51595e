import { expect, it } from 'vitest';
import { itAtNight } from '../server/testing/at-night.ts';
import { keySlots } from './key-slots.ts';
import { massExpiry } from './mass-expiry.ts';
import { midRunChanges } from './mid-run-changes.ts';
import { holds } from './run-in-suite.ts';
import { terminalRace } from './terminal-race.ts';

it('exactly one of settle, settle, fail and reap ends a run', async () => {
  expect(await holds(terminalRace)).toMatchObject({ races: terminalRace.amount.suite });
});

itAtNight('a run completes unchanged if month, key or plan change in the meantime', async () => {
  const { suite } = midRunChanges.amount;
  const times = { monthEnds: suite, keyReplaced: suite, keyRevoked: suite, planChanged: suite };
  expect(await holds(midRunChanges)).toMatchObject(times);
});

it('ten concurrent creates give a Free account one active key', async () => {
  expect(await holds(keySlots)).toMatchObject({ created: keySlots.amount.suite });
});

itAtNight(
  'a thousand holds that expire at once are released within two seconds, hardly delaying new calls',
  async () => {
    expect(await holds(massExpiry)).toMatchObject({ expired: 1_000 });
  },
);
