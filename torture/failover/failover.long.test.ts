import { expect, it } from 'vitest';
import { holds } from '../run-in-suite.ts';
import { handOver } from './failover.ts';

const missing = handOver.missing?.() ?? null;

it.skipIf(missing !== null)(
  `a leader that hands over takes no receipt with it${missing ? ` (not run: ${missing})` : ''}`,
  async () => {
    expect(await holds(handOver)).toMatchObject({ faults: 1, lost: 0, doubled: 0 });
  },
);
