import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openProofWorld, type ProofWorld } from '../../testing/proofs/proof-world.ts';
import { listLinkedAccounts } from './linked-account.repository.ts';

let world: ProofWorld;

beforeEach(async () => {
  world = await openProofWorld();
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
    expect(await listLinkedAccounts(world.database, accountId)).toHaveLength(50);
  });
});
