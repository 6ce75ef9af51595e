import { expect, it } from 'vitest';
import { lastCredits } from './last-credits.ts';
import { holds } from './run-in-suite.ts';
import { sameKeyStorm } from './same-key-storm.ts';

it('many concurrent calls with one idempotency key over two processes ask the backend once and charge once', async () => {
  expect(await holds(sameKeyStorm)).toMatchObject({ acknowledged: 60, calls: 6_000 });
});

it('two hundred calls that race for the last credits are charged exactly as far as the balance goes', async () => {
  expect(await holds(lastCredits)).toMatchObject({ acknowledged: 140, calls: 4_000 });
});
