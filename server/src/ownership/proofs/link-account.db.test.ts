import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProofWorld, type ProofWorld } from '../../../testing/proofs/proof-world.ts';
import { readLinks } from './link-account.ts';

let world: ProofWorld;

beforeEach(async () => {
  // The calls wait for each other, on a slow machine longer than a request may.
  world = await openProofWorld({ poolSize: 4, acquireTimeoutMs: 60_000 });
});
afterEach(() => world.close());

describe('linking eighty accounts at once', () => {
  it('links fifty', async () => {
    const accountId = await world.account();

    const answers = await Promise.allSettled(
      Array.from({ length: 80 }, (_, number) => world.link(accountId, `acme-${number}`)),
    );

    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(30).fill('invalid_request'));
    expect(await readLinks(world.database, accountId)).toHaveLength(50);
  });
});
