import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { deleteAccount, suspendAccount } from '../account-lifecycle.ts';
import { addIdentity, removeIdentity, signInPerson } from './sign-in-identity.ts';

const ISSUER = 'https://id.example';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
});
afterAll(() => test.close());

const person = (subject: string, issuer = ISSUER) => ({ issuer, subject });
const signIn = (subject: string, signUp: 'open' | 'closed' = 'open', issuer = ISSUER) =>
  signInPerson(test.database, person(subject, issuer), { signUp });

describe('a person of an identity provider', () => {
  it('gets one account under concurrent first sign-ins', async () => {
    for (let round = 0; round < 5; round++) {
      const entered = await Promise.all(Array.from({ length: 5 }, () => signIn(`round-${round}`)));

      expect(new Set(entered.map((each) => each?.accountId)).size).toBe(1);
      expect(new Set(entered.map((each) => each?.token)).size).toBe(5);
    }
    expect(await test.database.query('SELECT id FROM account')).toHaveLength(5);
  });

  it('is a different person at another provider, and with another letter case', async () => {
    const entered = [
      await signIn('ada'),
      await signIn('Ada'),
      await signIn('ada', 'open', `${ISSUER}/`),
      await signIn('ada '),
    ];

    expect(new Set(entered.map((each) => each?.accountId)).size).toBe(4);
  });

  it('without an account gets none if sign-up is closed', async () => {
    expect(await signIn('stranger', 'closed')).toBeNull();

    expect(
      await test.database.query("SELECT 1 AS one FROM sign_in_identity WHERE subject = 'stranger'"),
    ).toEqual([]);
  });

  it.each(['', 'x'.repeat(256), 'a\u0000b', 'a\u202eb', '\ud800'])(
    'is refused with the subject %j',
    async (subject) => {
      await expect(signIn(subject)).rejects.toMatchObject({ code: 'invalid_request' });
    },
  );
});

describe('an operator', () => {
  it('allows a person to sign in to an account, and removes that', async () => {
    const { accountId } = await makeAccount(test.database);
    await addIdentity(test.database, accountId, person('grace'));
    expect((await signIn('grace', 'closed'))?.accountId).toBe(accountId);

    await removeIdentity(test.database, accountId, person('grace'));

    expect(await signIn('grace', 'closed')).toBeNull();
    await expect(removeIdentity(test.database, accountId, person('grace'))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('cannot allow a person to sign in to a second account unless the first one is deleted', async () => {
    const [first, second] = [await makeAccount(test.database), await makeAccount(test.database)];
    await addIdentity(test.database, first.accountId, person('joan'));
    const again = () => addIdentity(test.database, second.accountId, person('joan'));

    await expect(again()).rejects.toMatchObject({ code: 'invalid_request' });
    await suspendAccount(test.database, first.accountId);
    await expect(again()).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(signIn('joan')).rejects.toMatchObject({ code: 'forbidden' });
    await deleteAccount(test.database, embeddedBackend, first.accountId);
    await expect(signIn('joan')).rejects.toMatchObject({ code: 'forbidden' });
    await again();

    expect((await signIn('joan'))?.accountId).toBe(second.accountId);
  });

  it('cannot add people to a deleted account, and must name a provider by its URL', async () => {
    const { accountId } = await makeAccount(test.database);
    for (const issuer of ['', 'id.example', 'javascript:alert(1)', 'https://id.example/ x']) {
      const attempt = addIdentity(test.database, accountId, person('ada', issuer));
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await deleteAccount(test.database, embeddedBackend, accountId);

    const attempt = addIdentity(test.database, accountId, person('late'));

    await expect(attempt).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
