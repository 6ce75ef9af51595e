import { expect, it } from 'vitest';
import { holds } from '../run-in-suite.ts';
import { secrets } from './secrets.ts';

it('no log, answer, metric, row or last words of a server hold a secret that it was shown', async () => {
  expect(await holds(secrets)).toMatchObject({ secrets: 4 * secrets.amount.suite, found: 0 });
});
