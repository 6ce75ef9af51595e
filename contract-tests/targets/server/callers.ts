import { accountBalance } from '../../../server/src/billing/balance/account-balance.ts';
import { adjust } from '../../../server/src/billing/ledger/grant-and-adjust.ts';
import { newSecret } from '../../../server/src/platform/http/credentials/secret.ts';
import {
  makeAccount,
  makeKey,
  makeSession,
  PLAN_BOOK,
  type TestAccount,
} from '../../../server/testing/factories.ts';
import type { ServerWorld } from './server-world.ts';

/** Creates callers in every state, each with its own account, and returns their secrets. */
export function callersOf({ database }: ServerWorld) {
  async function changed(change: string): Promise<string> {
    const { key } = await makeAccount(database);
    await database.query(`UPDATE access_key SET ${change} WHERE id = $1`, [key.id]);
    return key.secret;
  }
  return {
    account: (): Promise<TestAccount> => makeAccount(database),
    /** A well-formed key that was never issued. */
    unknown: async () => newSecret(),
    expired: () => changed('expires_at = ledger_now()'),
    revoked: () => changed('revoked_at = ledger_now()'),
    paused: () => changed('paused_at = ledger_now()'),
    /** Creates a key whose monthly limit is used up. */
    limited: () => changed('monthly_calls = 0'),
    withScopes: (...scopes: string[]) => changed(`scopes = '{${scopes.join(',')}}'`),
    /** Creates an account with a signed-in session; `change` is applied to the session afterwards. */
    async signedIn(change?: string): Promise<TestAccount & { token: string }> {
      const account = await makeAccount(database, { plan: 'builder' });
      const { sessionId, token } = await makeSession(database, account.accountId);
      if (change) await database.query(`UPDATE session SET ${change} WHERE id = $1`, [sessionId]);
      return { ...account, token };
    },
    /** Takes all but this many free calls from an account, in one statement instead of as many calls. */
    async leaveCalls(accountId: string, calls: number): Promise<void> {
      const [bucket] = (await accountBalance(database, PLAN_BOOK, accountId)).buckets;
      if (!bucket) throw new Error('the account has no free calls');
      const { id: bucketId, left } = bucket;
      await adjust(database, { accountId, bucketId, credits: calls - left, note: 'test' });
    },
    /** Creates two keys of one account. */
    async twins(): Promise<readonly [string, string]> {
      const { accountId, key } = await makeAccount(database, { plan: 'builder' });
      return [key.secret, (await makeKey(database, accountId)).secret];
    },
  };
}
