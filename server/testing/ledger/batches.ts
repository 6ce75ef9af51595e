import type { Database } from '../../src/platform/database/connect.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';

/** Simulates another process on a database; `sizes` records the number of items in each statement. */
export function newProcess(on: Database): { database: Database; sizes: number[] } {
  const sizes: number[] = [];
  const query: Database['query'] = (sql, bind = []) => {
    sizes.push(JSON.parse(String(bind[0])).length);
    return on.query(sql, bind);
  };
  return { database: { ...on, query }, sizes };
}

/** Locks an account's buckets until the work is done. */
export function lockBuckets(
  database: Database,
  account: { accountId: string },
  during: () => Promise<void>,
): Promise<void> {
  return inTransaction(database, async (connection) => {
    await connection.query('SELECT 1 AS one FROM credit_bucket WHERE account_id = $1 FOR UPDATE', [
      account.accountId,
    ]);
    await during();
  });
}
