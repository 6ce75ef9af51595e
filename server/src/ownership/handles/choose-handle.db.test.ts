import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeListing, makeSession } from '../../../testing/factories.ts';
import { endSession, lockRecentSignIn as lock } from '../../access/callers/session.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { KEY_SCOPES } from '../../platform/http/credentials/principal.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { chooseHandle } from './choose-handle.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
});
afterAll(() => test.close());

const allow = async (_connection: Connection): Promise<void> => undefined;
const choose = (accountId: string, handle: string, lockRecentSignIn = allow) =>
  chooseHandle(test.database, embeddedBackend, { accountId, handle, lockRecentSignIn });

/** Creates an account as the first sign-in does. */
async function newcomer(): Promise<string> {
  const id = randomUUID();
  await test.database.query("INSERT INTO account (id, plan) VALUES ($1, 'free')", [id]);
  return id;
}

async function handleOf(accountId: string): Promise<string | null> {
  const [account] = await test.database.query<{ handle: string | null }>(
    'SELECT handle FROM account WHERE id = $1',
    [accountId],
  );
  return account?.handle ?? null;
}

describe('the handle that a newcomer chooses', () => {
  it('is the account’s from then on, as it was written', async () => {
    const accountId = await newcomer();
    await newcomer();

    await choose(accountId, 'Ada.Lovelace');

    expect(await handleOf(accountId)).toBe('Ada.Lovelace');
    await choose(accountId, 'ada.lovelace');
    expect(await handleOf(accountId)).toBe('ada.lovelace');
  });

  it('goes to exactly one of several concurrent requests', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, newcomer));

    const outcomes = await Promise.allSettled(
      accounts.map((id, place) => choose(id, place % 2 ? 'Grace' : 'grace')),
    );

    const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []));
    expect(refused).toEqual(Array(5).fill('handle_taken'));
  });

  it('cannot be that of an account, a creator or an owner of repositories here', async () => {
    const accountId = await newcomer();
    const { repository } = await makeListing(test.database);
    const { handle } = await makeAccount(test.database);

    for (const taken of [handle.toUpperCase(), repository.split('/')[0] ?? '']) {
      await expect(choose(accountId, taken)).rejects.toMatchObject({ code: 'handle_taken' });
    }
    for (const wrong of ['', '-a', 'a-', 'a b', 'a/b', 'ä', 'a'.repeat(101), `deleted-${randomUUID()}`]) {
      await expect(choose(accountId, wrong)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(await handleOf(accountId)).toBeNull();
  });

  it.each([
    'admin',
    'API',
    'console',
    'Docs',
    'a',
    's',
    'sign-in',
    'support',
    'Trust-Directory',
    'openapi.yaml',
  ])('is none that would be taken for the directory itself: %s', async (handle) => {
    const accountId = await newcomer();

    await expect(choose(accountId, handle)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Choose another'),
    });

    expect(await handleOf(accountId)).toBeNull();
  });

  it('is refused for a session that has ended', async () => {
    const accountId = await newcomer();
    const { sessionId } = await makeSession(test.database, accountId);
    await endSession(test.database, sessionId);
    const principal = { accountId, keyId: null, sessionId, scopes: KEY_SCOPES };

    const refused = choose(accountId, 'late', async (connection) => lock(connection, principal));

    await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await handleOf(accountId)).toBeNull();
  });
});
