import type { Connection } from '../database/connect.ts';
import { creatorsOfAccounts } from '../registry/creators/verified.ts';
import { releaseCreator } from './ownership.repository.ts';

/** Makes the creators of an account nobody's, with their handles and what they listed. The caller has locked them. */
export async function releaseCreators(connection: Connection, accountId: string): Promise<void> {
  for (const creator of await creatorsOfAccounts(connection, [accountId])) {
    await releaseCreator(connection, creator);
  }
}
