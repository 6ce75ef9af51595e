import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  credentialOf,
  makeAccount,
  makeKey,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
} from '../../../testing/factories.ts';
import { withOperatorSession } from '../../accounts/sign-in/sign-in-link.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import { authenticate } from '../callers/authenticate.ts';
import { lockCredential } from '../callers/session.ts';
import { replaceKey } from './create-key.ts';
import { findKey } from './key.queries.ts';
import { pauseKey, resumeKey } from './own-keys.ts';

const BEFORE = '2027-05-05T11:59:59.999999Z';
const END = '2027-05-05T12:00:00.000000Z';

let test: TestDatabase;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await replaceClock(database);
});
afterEach(() => setClock(database, null));
afterAll(() => test.close());

/** Creates an account with one key, paused or not, that expires; sets the clock to `moment`. */
async function accountAt(moment: string, { paused = false } = {}): Promise<TestAccount> {
  await setClock(database, '2027-05-01T00:00:00Z');
  const account = await makeAccount(database);
  await database.query(
    `UPDATE access_key SET expires_at = $2, paused_at = CASE WHEN $3 THEN ledger_now() END WHERE id = $1`,
    [account.key.id, END, paused],
  );
  await setClock(database, moment);
  return account;
}

const replace = ({ accountId, key }: TestAccount, expiresAt: string) =>
  withOperatorSession(database, accountId, (sessionId) =>
    replaceKey(database, PLAN_BOOK, { sessionId, replacesKeyId: key.id, name: null, expiresAt }),
  );

const principalOf = (account: TestAccount) => authenticate(database, credentialOf(account.key), null);

describe('at its expiry time a key', () => {
  it('is refused, and cannot be locked by a caller authenticated earlier', async () => {
    const account = await accountAt(BEFORE);
    const principal = await principalOf(account);
    await setClock(database, END);

    await expect(principalOf(account)).rejects.toMatchObject({ code: 'key_expired' });
    const locking = inTransaction(database, (connection) => lockCredential(connection, principal));
    await expect(locking).rejects.toMatchObject({ code: 'key_expired' });
    expect(await findKey(database, account.accountId, account.key.id)).toMatchObject({ state: 'expired' });
  });

  it('no longer counts towards the limit', async () => {
    const { accountId } = await accountAt(BEFORE);
    await expect(makeKey(database, accountId)).rejects.toMatchObject({
      code: 'key_limit_reached',
      message: 'The free plan has one active key. Revoke a key first.',
    });
    await setClock(database, END);

    expect((await makeKey(database, accountId)).id).toBeTruthy();
  });

  it('cannot be paused, resumed or replaced any more', async () => {
    const alive = await accountAt(BEFORE);
    await pauseKey(database, alive.accountId, alive.key.id);
    await resumeKey(database, PLAN_BOOK, alive.accountId, alive.key.id);
    const [active, paused] = [await accountAt(END), await accountAt(END, { paused: true })];
    const late = { code: 'invalid_request', message: expect.stringContaining('expired') };

    await expect(pauseKey(database, active.accountId, active.key.id)).rejects.toMatchObject(late);
    await expect(resumeKey(database, PLAN_BOOK, paused.accountId, paused.key.id)).rejects.toMatchObject(late);
    await expect(replace(active, END)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

it('a replacement key may have the same expiry', async () => {
  const account = await accountAt(BEFORE);

  const { id } = await replace(account, END);

  expect(await findKey(database, account.accountId, id)).toMatchObject({ state: 'active', expires_at: END });
});

it('the use of a session is recorded to the minute', async () => {
  await setClock(database, '2027-05-05T12:00:00Z');
  const { accountId } = await makeAccount(database);
  const { sessionId, token } = await makeSession(database, accountId);
  const seenAfterUseAt = async (moment: string) => {
    await setClock(database, moment);
    await authenticate(database, { kind: 'session', hash: hashSecret(token) }, null);
    const [row] = await database.query<{ seen: string }>(
      'SELECT utc_text(last_seen_at) AS seen FROM session WHERE id = $1',
      [sessionId],
    );
    return row?.seen;
  };

  expect(await seenAfterUseAt('2027-05-05T12:02:00Z')).toBe('2027-05-05T12:02:00.000000Z');
  expect(await seenAfterUseAt('2027-05-05T12:02:30Z')).toBe('2027-05-05T12:02:00.000000Z');
});
