import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import {
  credentialOf,
  makeAccount,
  makeKey,
  makeSession,
  type TestAccount,
} from '../../../testing/factories.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import { hashSecret, newSecret } from '../../platform/http/credentials/secret.ts';
import { createKnownCredentials } from './known-credentials.ts';

let test: TestDatabase;
let account: TestAccount;
let watched: Connection;
/** Statements that were sent. */
const sent: string[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  await replaceClock(test.database);
  account = await makeAccount(test.database, { plan: 'enterprise' });
  watched = {
    ...test.database,
    query(sql, bind) {
      sent.push(sql);
      return test.database.query(sql, bind);
    },
  };
});
beforeEach(() => {
  sent.length = 0;
});
afterAll(() => test.close());

const guess = (): Credential => credentialOf({ secret: newSecret() });
const newKey = async (): Promise<Credential> => credentialOf(await makeKey(test.database, account.accountId));
/** Waits for no time between two reads. */
const atOnce = () => Promise.resolve();

describe('known credentials', () => {
  it('contain every usable credential and no guess', async () => {
    const known = createKnownCredentials(watched, atOnce);
    const key = await newKey();
    const { token } = await makeSession(test.database, account.accountId);
    const session: Credential = { kind: 'session', hash: hashSecret(token) };

    expect(await known.mayExist(key)).toBe(true);
    expect(await known.mayExist(session)).toBe(true);
    expect(await known.mayExist(guess())).toBe(false);
    expect(await known.mayExist({ ...guess(), kind: 'session' })).toBe(false);
  });

  it('contain a key just created by another process, even if the clock was set back', async () => {
    const known = createKnownCredentials(watched, atOnce);
    for (const moment of [null, '2027-05-01T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-01T00:30:00Z']) {
      await setClock(test.database, moment);
      expect(await known.mayExist(guess())).toBe(false);
      expect([moment, await known.mayExist(await newKey())]).toEqual([moment, true]);
    }
    await setClock(test.database, null);
  });

  it('contain a key that became visible almost five minutes after its creation time', async () => {
    const known = createKnownCredentials(watched, atOnce);
    await known.mayExist(guess());

    // Creates a key whose time is earlier than the last read, as after a long transaction or on a server whose clock
    // is slow.
    const key = await newKey();
    await test.database.query(
      "UPDATE access_key SET created_at = created_at - interval '4 minutes 50 seconds' WHERE key_hash = $1",
      [key.hash],
    );
    const { token } = await makeSession(test.database, account.accountId);
    const session: Credential = { kind: 'session', hash: hashSecret(token) };
    await test.database.query(
      "UPDATE session SET created_at = created_at - interval '4 minutes 50 seconds' WHERE token_hash = $1",
      [session.hash],
    );

    expect(await known.mayExist(key)).toBe(true);
    expect(await known.mayExist(session)).toBe(true);
  });

  it('are read once for concurrent guesses, and a later guess waits for the next read', async () => {
    const held: (() => void)[] = [];
    const known = createKnownCredentials(watched, () => new Promise((resolve) => held.push(resolve)));
    await known.mayExist(guess());
    sent.length = 0;

    const first = Promise.all(Array.from({ length: 300 }, () => known.mayExist(guess())));
    const late = await newKey();
    const askedLate = known.mayExist(late);
    held.shift()?.();

    expect(new Set(await first)).toEqual(new Set([false]));
    expect(await askedLate).toBe(true);
    expect(sent.length).toBe(1);
  });

  it('refuse nobody if the database cannot be read', async () => {
    const query = () => Promise.reject(new Error('away'));
    const known = createKnownCredentials({ ...test.database, query }, atOnce);

    expect(await known.mayExist(guess())).toBe(true);
    expect(await known.mayExist(guess())).toBe(true);
  });

  it('are rebuilt after an hour, without ended credentials', async () => {
    let now = 0;
    const known = createKnownCredentials(watched, atOnce, () => now);
    const key = await newKey();
    await known.mayExist(guess());
    await test.database.query('UPDATE access_key SET revoked_at = ledger_now() WHERE key_hash = $1', [
      key.hash,
    ]);
    // Created before the period that is read again for new credentials.
    await test.database.query("UPDATE access_key SET created_at = created_at - interval '1 day'");

    expect(await known.mayExist(key)).toBe(true);
    now = 3_600_000;
    await known.mayExist(guess());

    expect(await known.mayExist(key)).toBe(false);
  });
});
