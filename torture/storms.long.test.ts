import { expect, it } from 'vitest';
import { lastCredits } from './last-credits.ts';
import { holds } from './run-in-suite.ts';
import { sameKeyStorm } from './same-key-storm.ts';

it('one idempotency key in a storm over two processes is asked once and charged once', async () => {
  expect(await holds(sameKeyStorm)).toMatchObject({ acknowledged: 60, calls: 6_000 });
});

it('of two hundred calls that race for the last credits exactly those that fit are charged', async () => {
  expect(await holds(lastCredits)).toMatchObject({ acknowledged: 140, calls: 4_000 });
});
