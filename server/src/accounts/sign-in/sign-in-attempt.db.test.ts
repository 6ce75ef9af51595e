import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { attemptSecrets, beginAttempt, consumeAttempt, newAttemptToken } from './sign-in-attempt.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
});
afterAll(() => test.close());

async function begin(): Promise<{ token: string; state: string }> {
  const token = newAttemptToken();
  await beginAttempt(test.database, token, { provider: 'oidc', nextPath: '/method' });
  return { token, state: attemptSecrets(token).state };
}

const take = (token: string | null, state: string | null, provider: 'oidc' | 'github' = 'oidc') =>
  consumeAttempt(test.database, { token, provider, state });

describe('an attempt to sign in', () => {
  it('is consumed once under concurrent callbacks', async () => {
    for (let round = 0; round < 10; round++) {
      const { token, state } = await begin();

      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => take(token, state)));

      const taken = outcomes.filter(({ status }) => status === 'fulfilled');
      expect(taken).toMatchObject([{ value: { nextPath: '/method', secrets: attemptSecrets(token) } }]);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ reason: 'attempt_over' });
      }
    }
  });

  it('is not consumed by a wrong state, but by another provider', async () => {
    const { token, state } = await begin();
    const foreign = await begin();

    for (const wrong of [null, '', foreign.state, `${state}x`]) {
      await expect(take(token, wrong)).rejects.toMatchObject({ reason: 'state_of_another_attempt' });
    }
    await expect(take(null, state)).rejects.toMatchObject({ reason: 'no_attempt_in_this_browser' });
    await expect(take(token, state, 'github')).rejects.toMatchObject({ reason: 'another_provider' });
    await expect(take(token, state)).rejects.toMatchObject({ reason: 'attempt_over' });
    expect((await take(foreign.token, foreign.state)).nextPath).toBe('/method');
  });

  it('stores nothing that identifies its browser or secrets', async () => {
    const { token } = await begin();
    const rows = await test.database.query('SELECT to_json(a)::text AS text FROM sign_in_attempt a');

    const secrets = [token, ...Object.values(attemptSecrets(token))];

    expect(new Set(secrets).size).toBe(4);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{43}$/);
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('begins without waiting for another sign-in that deletes expired ones', async () => {
    const { database } = test;
    await begin();
    await database.query("UPDATE sign_in_attempt SET expires_at = ledger_now() - interval '1 minute'");

    await inTransaction(database, async (deleting) => {
      await beginAttempt(deleting, newAttemptToken(), { provider: 'oidc', nextPath: '/' });
      await begin();
    });

    expect(await database.query('SELECT FROM sign_in_attempt')).toHaveLength(2);
  });
});
