import { expect, it } from 'vitest';
import { deadlockStorm } from './deadlock-storm.ts';
import { lastCredits } from './last-credits.ts';
import { holds } from './run-in-suite.ts';
import { sameKeyStorm } from './same-key-storm.ts';

it('one idempotency key in a storm over two processes is asked once and charged once', async () => {
  expect(await holds(sameKeyStorm)).toMatchObject({ acknowledged: 60, calls: 6_000 });
});

it('of two hundred calls that race for the last credits exactly those that fit are charged', async () => {
  expect(await holds(lastCredits)).toMatchObject({ acknowledged: 140, calls: 4_000 });
});

it('half a minute of retries on one account makes no deadlock and no statement of a second', async () => {
  expect(await holds(deadlockStorm)).toMatchObject({ deadlocks: 0, lost: 0, doubled: 0 });
});
