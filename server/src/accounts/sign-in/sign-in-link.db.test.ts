import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceClock, setClock } from '../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { authenticate } from '../../access/callers/authenticate.ts';
import type { Database } from '../../platform/database/connect.ts';
import { hashSecret } from '../../platform/http/credentials/secret.ts';
import { resumeAccount, suspendAccount } from '../account-lifecycle.ts';
import { createSignInLink, redeemSignInLink } from './sign-in-link.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 15 });
  database = test.database;
  await replaceClock(database);
});
afterAll(() => test.close());

function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'not refused',
    (error) => `${error.code}: ${error.message}`,
  );
}

async function sessionsOf(accountId: string): Promise<number> {
  return (
    await database.query('SELECT id FROM session WHERE account_id = $1 AND opened_by = $2', [
      accountId,
      'sign_in',
    ])
  ).length;
}

describe('a sign-in link', () => {
  it('opens one session of its account under concurrent requests', async () => {
    const { accountId } = await makeAccount(database);

    for (let round = 0; round < 25; round++) {
      const token = await createSignInLink(database, accountId);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 4 }, () => redeemSignInLink(database, token)),
      );

      const opened = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      expect(opened).toHaveLength(1);
      const credential = { kind: 'session', hash: hashSecret(opened[0]?.token ?? '') } as const;
      expect(await authenticate(database, credential, null)).toMatchObject({
        accountId,
        sessionId: opened[0]?.sessionId,
        keyId: null,
      });
    }
    const sessions = await database.query("SELECT id FROM session WHERE opened_by = 'sign_in'");
    expect(sessions).toHaveLength(25);
  });

  it('is valid for ten minutes, and refused with the same text when unknown, used or expired', async () => {
    const { accountId } = await makeAccount(database);
    await setClock(database, '2027-03-03T10:00:00Z');
    const [used, kept, old] = [
      await createSignInLink(database, accountId),
      await createSignInLink(database, accountId),
      await createSignInLink(database, accountId),
    ];
    await redeemSignInLink(database, used);

    await setClock(database, '2027-03-03T10:09:59.999Z');
    expect(await refusal(redeemSignInLink(database, kept))).toBe('not refused');
    await setClock(database, '2027-03-03T10:10:00Z');
    const unknown = randomBytes(32).toString('base64url');
    const refusals = await Promise.all(
      [used, old, unknown].map((token) => refusal(redeemSignInLink(database, token))),
    );
    await setClock(database, null);

    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatch(/^unauthorized: The sign-in link is unknown, was used before or is older/);
  });

  it('is stored only as a hash, and deleted after it expires', async () => {
    const { accountId } = await makeAccount(database);
    await setClock(database, '2027-03-03T10:00:00Z');
    const token = await createSignInLink(database, accountId);
    const rows = await database.query('SELECT to_json(l)::text AS text FROM sign_in_link l');
    expect(JSON.stringify(rows)).not.toContain(token);

    await setClock(database, '2027-03-03T11:00:00Z');
    await createSignInLink(database, accountId);
    await setClock(database, null);

    const left = await database.query('SELECT id FROM sign_in_link WHERE account_id = $1', [accountId]);
    expect(left).toHaveLength(1);
  });

  it('of a suspended or deleted account is neither created nor redeemed', async () => {
    const { accountId } = await makeAccount(database);
    const token = await createSignInLink(database, accountId);
    await suspendAccount(database, accountId);

    expect(await refusal(createSignInLink(database, accountId))).toMatch(/^invalid_request/);
    expect(await refusal(redeemSignInLink(database, token))).toMatch(/^unauthorized/);
    await resumeAccount(database, accountId);
    expect(await refusal(redeemSignInLink(database, token))).toBe('not refused');
  });

  it('redeemed during the suspension of its account waits, and then opens no session', async () => {
    const { accountId } = await makeAccount(database);
    const token = await createSignInLink(database, accountId);
    const suspending = await database.sequelize.transaction();
    await database.sequelize.query(
      `UPDATE account SET suspended_at = ledger_now() WHERE id = '${accountId}'`,
      { transaction: suspending },
    );

    const redeeming = refusal(redeemSignInLink(database, token));
    await untilBlocked(database, redeeming);
    await suspending.commit();

    expect(await redeeming).toMatch(/^unauthorized/);
    expect(await sessionsOf(accountId)).toBe(0);
    await resumeAccount(database, accountId);
    expect(await refusal(redeemSignInLink(database, token))).toBe('not refused');
  });

  it('being redeemed completes before its account is suspended, and its session is refused afterwards', async () => {
    const { accountId } = await makeAccount(database);
    const token = await createSignInLink(database, accountId);
    // Locks the link, so that redeeming it stops between locking the account and locking the link.
    const holding = await database.sequelize.transaction();
    await database.sequelize.query(`SELECT FROM sign_in_link WHERE account_id = '${accountId}' FOR UPDATE`, {
      transaction: holding,
    });
    const redeeming = redeemSignInLink(database, token);
    await untilBlocked(database, redeeming);
    const suspending = suspendAccount(database, accountId);
    await untilBlocked(database, suspending, 2);
    expect(await sessionsOf(accountId)).toBe(0);
    await holding.commit();

    const session = await redeeming;
    await suspending;

    const credential = { kind: 'session', hash: hashSecret(session.token) } as const;
    expect(await refusal(authenticate(database, credential, null))).toMatch(/^unauthorized|suspended/);
  });
});
