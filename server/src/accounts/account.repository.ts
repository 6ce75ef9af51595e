import { keyWorks } from '../callers/caller.sql.ts';
import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';

export type AccountState = 'active' | 'suspended' | 'deleted';

export interface AccountRecord {
  id: string;
  /** Null until the owner of an account that a first sign-in made has chosen one. */
  handle: string | null;
  plan: string;
  state: AccountState;
  created_at: string;
  active_keys: number;
}

const SELECT = `SELECT a.id, a.handle, plan_in_force(a.plan, a.next_plan, a.next_plan_from) AS plan,
    CASE WHEN a.deleted_at IS NOT NULL THEN 'deleted' WHEN a.suspended_at IS NOT NULL THEN 'suspended' ELSE 'active' END
      AS state, utc_text(a.created_at) AS created_at,
    (SELECT count(*)::int FROM access_key k WHERE k.account_id = a.id AND ${keyWorks('k')}) AS active_keys
  FROM account a`;

/** All accounts in the order of their making, with the plan in force; deleted ones only where asked for. */
export function listAccounts(
  connection: Connection,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<AccountRecord[]> {
  return connection.query<AccountRecord>(`${SELECT} WHERE $1 OR a.deleted_at IS NULL ORDER BY a.id`, [
    deleted,
  ]);
}

/** The account with this handle (case does not matter) or id, deleted or not; throws not_found. */
export async function requireAccount(connection: Connection, handleOrId: string): Promise<AccountRecord> {
  const [account] = await connection.query<AccountRecord>(
    `${SELECT} WHERE a.id::text = lower($1) OR lower(a.handle) = lower($1)
     ORDER BY (a.id::text = lower($1)) DESC LIMIT 1`,
    [handleOrId],
  );
  if (!account)
    throw new DomainError('not_found', `There is no account "${handleOrId}". List them with: accounts list.`);
  return account;
}
