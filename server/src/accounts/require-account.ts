import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { type AccountRow, findAccount, findAccountCalled, findAccounts } from './account.repository.ts';
import type { AccountRecord, AccountState, CountedAccount } from './account.ts';

/** The account of this id, deleted or not; throws not_found. */
export async function requireAccount(connection: Connection, accountId: string): Promise<AccountRecord> {
  const account = await findAccount(connection, accountId);
  if (!account) throw noAccount(accountId);
  return recordOf(account);
}

/** The account with this handle (case does not matter) or id, deleted or not; throws not_found. */
export async function requireAccountCalled(
  connection: Connection,
  handleOrId: string,
): Promise<CountedAccount> {
  const account = await findAccountCalled(connection, handleOrId);
  if (!account) throw noAccount(handleOrId);
  return recordOf(account);
}

/** All accounts in the order of their making; deleted ones only where asked for. */
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
