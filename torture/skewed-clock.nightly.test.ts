import { expect, it } from 'vitest';
import { holds } from './run-in-suite.ts';
import { skewedClock } from './skewed-clock.ts';

const missing = skewedClock.missing?.() ?? null;

it.skipIf(missing !== null)(
  `servers with a wrong or jumping clock keep leases, expiry and sessions by the database's${missing ? ` (not run: ${missing})` : ''}`,
  async () => {
    expect(await holds(skewedClock)).toMatchObject({ calls: 90 });
  },
);
