import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type AccountRow, findAccount, findAccountByName, findAccounts } from './counted-account.queries.ts';

/** Returns an account by id, deleted or not; throws not_found if there is none. */
export async function requireAccount(connection: Connection, accountId: string): Promise<AccountRecord> {
  const account = await findAccount(connection, accountId);
  if (!account) throw noAccount(accountId);
  return recordOf(account);
}

/** Returns an account by id, or by handle, ignoring case, deleted or not; throws not_found if there is none. */
export async function requireAccountByName(
  connection: Connection,
  handleOrId: string,
): Promise<CountedAccount> {
  const account = await findAccountByName(connection, handleOrId);
  if (!account) throw noAccount(handleOrId);
  return recordOf(account);
}

/** Lists accounts in the order of their creation; deleted ones only if `deleted` is true. */
export async function listAccounts(
  connection: Connection,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<CountedAccount[]> {
  return (await findAccounts(connection, { deleted })).map(recordOf);
}

function recordOf<Row extends AccountRow>({ suspendedAt, deletedAt, ...account }: Row) {
  const open: AccountState = suspendedAt === null ? 'active' : 'suspended';
  return { ...account, state: deletedAt === null ? open : ('deleted' as const) };
}

function noAccount(name: string): DomainError {
  return new DomainError('not_found', `There is no account "${name}". List them with: accounts list.`);
}

type AccountState = 'active' | 'suspended' | 'deleted';

/** A customer of the metered API, as commands and the console show it. */
export interface AccountRecord {
  id: string;
  /** Null for an account made by a first sign-in, until its owner chooses one. */
  handle: string | null;
  /** Current plan of the account. */
  plan: string;
  state: AccountState;
  /** ISO 8601 UTC, with microseconds. */
  createdAt: string;
}

/** An account with its number of active keys. */
export interface CountedAccount extends AccountRecord {
  activeKeys: number;
}
