import { randomBytes, randomUUID } from 'node:crypto';
import { setOverage } from '../../../server/src/billing/balance/change-plan.ts';
import {
  giveCredits,
  makeAccount,
  makeKey,
  makeListing,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
} from '../../../server/testing/factories.ts';
import type { BillingStates } from '../billing-states.ts';
import { bearer, signedIn } from '../client.ts';
import type { RunBody } from '../states.ts';
import type { MakersOf, StateTools } from './state-tools.ts';

/** Creates the states of a signed-in person's own account. */
export function billingStates({
  world,
  clientOn,
  unseenClientOn,
}: StateTools): MakersOf<keyof BillingStates> {
  const { database } = world;

  /** Creates an account with one key, signed in. */
  async function person(plan = 'builder') {
    const account = await makeAccount(database, { plan });
    const { sessionId, token } = await makeSession(database, account.accountId);
    return { ...account, sessionId, client: await clientOn('working', signedIn(token)) };
  }
  const signed = (plan?: string) => async () => ({ client: (await person(plan)).client });
  const changedKey = (change: string, plan?: string) => async () => {
    const { client, key } = await person(plan);
    await database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [key.id]);
    return { client, id: key.id };
  };

  const foreignKey = async () => ({
    client: (await person()).client,
    id: (await makeAccount(database)).key.id,
  });

  /** Makes one call with the account's key about a new listing; returns the day of the call. */
  async function run({ key }: TestAccount, operation: RunBody['operation'] = 'agent_score'): Promise<string> {
    const { repository: subject } = await makeListing(database, {
      type: operation === 'skill_score' ? 'skill' : 'agent',
    });
    const unseen = await unseenClientOn('working', bearer(key.secret));
    const body = { operation, subject, idempotency_key: randomUUID() } satisfies RunBody;
    await unseen.POST('/api/svc/operations/run', { body });
    const [day] = await database.query<{ day: string }>('SELECT left(utc_text(ledger_now()), 10) AS day');
    return day?.day ?? '';
  }

  return {
    'a console session without a handle': async () => {
      const { client, accountId } = await person();
      await database.query('UPDATE account SET handle = NULL WHERE id = $1', [accountId]);
      return { client };
    },
    'a handle that is free': async () => ({
      client: (await person()).client,
      handle: `free-${randomBytes(5).toString('hex')}`,
    }),
    'a handle that is kept': signed(),
    'a handle that somebody has': async () => ({
      client: (await person()).client,
      handle: (await makeAccount(database)).handle,
    }),
    'an account signed in twice': async () => {
      const { client, accountId } = await person();
      await makeSession(database, accountId);
      return { client };
    },

    'an account with a balance': async () => {
      const { client, ...account } = await person();
      await giveCredits(database, account.accountId, 100);
      await setOverage(database, PLAN_BOOK, account.accountId, { enabled: true, capCredits: 500 });
      await run(account);
      return { client };
    },
    'an account on the free plan': signed('free'),
    'a cap beyond the plan': signed(),

    'an access key of one’s own': changedKey('paused_at = NULL'),
    'a paused key of one’s own': changedKey('paused_at = ledger_now()'),
    'a revoked key of one’s own': changedKey('revoked_at = ledger_now()'),
    'an access key of somebody else': foreignKey,
    'a key that only the service refuses': signed(),
    'a revoked key to replace': changedKey('revoked_at = ledger_now()'),
    'a key of somebody else to replace': foreignKey,
    'a session of long ago': async () => {
      const { client, sessionId } = await person();
      await database.query(
        "UPDATE session SET created_at = ledger_now() - interval '16 minutes' WHERE id = $1",
        [sessionId],
      );
      return { client };
    },
    'no slot for one more key': signed('free'),
    'a paused key and no slot for it': async () => {
      const { client, id } = await changedKey('paused_at = ledger_now()', 'free')();
      const [owner] = await database.query<{ id: string }>(
        'SELECT account_id AS id FROM access_key WHERE id = $1',
        [id],
      );
      await makeKey(database, owner?.id ?? '');
      return { client, id };
    },
    'keys on several pages': async () => {
      const { client, accountId } = await person();
      await makeKey(database, accountId);
      return { client };
    },
    'an account without keys': async () => {
      const { accountId, client } = await person('free');
      await database.query('DELETE FROM access_key WHERE account_id = $1', [accountId]);
      return { client };
    },
    'a cursor of another list of keys': signed(),

    'usage of a key': async () => {
      const { client, ...account } = await person();
      return { client, id: account.key.id, day: await run(account) };
    },
    'usage on several pages': async () => {
      const { client, ...account } = await person();
      await run(account);
      await run(account, 'skill_score');
      return { client };
    },
    'an account without usage': signed(),
    'a filter of days that are none': signed(),
    'a filter of days in the wrong order': signed(),
    'a cursor of another list of usage': signed(),
  };
}
