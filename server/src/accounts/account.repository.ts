import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { Account } from './create-account.ts';

export interface AccountRecord extends Account {
  created_at: string;
  active_keys: number;
}

/** All accounts in the order of their making. */
export function listAccounts(connection: Connection): Promise<AccountRecord[]> {
  return connection.query<AccountRecord>(
    `SELECT a.id, a.handle, a.plan, utc_text(a.created_at) AS created_at, (SELECT count(*)::int FROM access_key k
       WHERE k.account_id = a.id AND k.revoked_at IS NULL AND k.paused_at IS NULL
       AND (k.expires_at IS NULL OR k.expires_at > ledger_now())) AS active_keys
     FROM account a ORDER BY a.id`,
  );
}

/** The account with this handle (case does not matter) or id; throws not_found. */
export async function requireAccount(connection: Connection, handleOrId: string): Promise<Account> {
  const [account] = await connection.query<Account>(
    `SELECT id, handle, plan FROM account WHERE id::text = lower($1) OR lower(handle) = lower($1)
     ORDER BY (id::text = lower($1)) DESC LIMIT 1`,
    [handleOrId],
  );
  if (!account)
    throw new DomainError('not_found', `There is no account "${handleOrId}". List them with: accounts list.`);
  return account;
}
