import { expect, it } from 'vitest';
import { databaseKills } from './database-kills.ts';
import { holds } from './run-in-suite.ts';
import { skewedClock } from './skewed-clock.ts';

it('kill -9 of PostgreSQL under load loses no receipt, and the servers go on by themselves', async () => {
  expect(await holds(databaseKills)).toMatchObject({ kills: 2, lost: 0, doubled: 0 });
});

// Debian's package faketime puts the library there; the gate installs it.
it.skipIf(skewedClock.missing?.())(
  'servers with a wrong or jumping clock keep leases, expiry and sessions by that of the database',
  async () => {
    expect(await holds(skewedClock)).toMatchObject({ calls: 90 });
  },
);
