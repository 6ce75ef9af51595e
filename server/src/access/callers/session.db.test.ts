import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock, shiftClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeSession } from '../../../testing/factories.ts';
import type { Database } from '../../platform/database/connect.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import { authenticate } from './authenticate.ts';
import { endAllSessions, endSession, readSession, requireRecentSignIn } from './session.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
});
afterAll(() => test.close());

async function signIn(accountId?: string) {
  const id = accountId ?? (await makeAccount(database)).accountId;
  return { accountId: id, ...(await makeSession(database, id)) };
}

describe('signing out everywhere', () => {
  it('ends all sessions of this account only, and returns how many were still usable', async () => {
    const { accountId, ...first } = await signIn();
    const second = await signIn(accountId);
    const ended = await signIn(accountId);
    await endSession(database, ended.sessionId);
    const foreign = await signIn();

    expect(await endAllSessions(database, accountId)).toBe(2);

    for (const { token } of [first, second, ended]) {
      const refused = authenticate(database, { kind: 'session', hash: hashSecret(token) }, null);
      await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    }
    expect(
      await authenticate(database, { kind: 'session', hash: hashSecret(foreign.token) }, null),
    ).toMatchObject({
      accountId: foreign.accountId,
    });
    expect(await endAllSessions(database, accountId)).toBe(0);
  });

  it('does not count sessions that were idle too long', async () => {
    const { accountId } = await signIn();
    await shiftClock(database, '31 minutes');
    await signIn(accountId);

    expect(await endAllSessions(database, accountId)).toBe(1);
    await setClock(database, null);
  });
});

describe('a session', () => {
  it('shows its owner when and how it was opened, and when it ends', async () => {
    await setClock(database, '2027-03-03T10:00:00Z');
    const { accountId, sessionId } = await signIn();
    await setClock(database, '2027-03-03T10:20:00Z');

    expect(await readSession(database, sessionId)).toEqual({
      sessionId,
      accountId,
      openedBy: 'sign_in',
      openedAt: '2027-03-03T10:00:00.000000Z',
      lastSeenAt: '2027-03-03T10:00:00.000000Z',
      expiresAt: '2027-03-03T22:00:00.000000Z',
      idleUntil: '2027-03-03T10:30:00.000000Z',
      recentUntil: '2027-03-03T10:15:00.000000Z',
      isRecent: false,
    });
    await setClock(database, '2027-03-03T10:30:00Z');
    await expect(readSession(database, sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
    await setClock(database, null);
  });
});

describe('a recent sign-in', () => {
  it('happened in the last fifteen minutes, however recently the session was used', async () => {
    await setClock(database, '2027-03-03T10:00:00Z');
    const { token, sessionId } = await signIn();

    await setClock(database, '2027-03-03T10:14:59.999Z');
    await authenticate(database, { kind: 'session', hash: hashSecret(token) }, null);
    await requireRecentSignIn(database, sessionId);
    await setClock(database, '2027-03-03T10:15:00Z');

    await expect(requireRecentSignIn(database, sessionId)).rejects.toMatchObject({
      code: 'sign_in_again',
      status: 403,
      message: expect.stringContaining('within 15 minutes'),
    });
    await endSession(database, sessionId);
    await expect(requireRecentSignIn(database, sessionId)).rejects.toMatchObject({ code: 'unauthorized' });
    await setClock(database, null);
  });
});
