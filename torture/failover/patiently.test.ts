import { expect, it } from 'vitest';
import { patiently } from './patiently.ts';

it('does work again until it succeeds', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries < 4) throw new Error('terminating connection due to administrator command');
    return tries;
  };

  expect(await patiently(work, 60_000, 0)).toBe(4);
});

it('rejects with the last failure when the time is over', async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new Error(`try ${tries}`);
  };

  await expect(patiently(work, 0, 0)).rejects.toThrow('try 1');
});
