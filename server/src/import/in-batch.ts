import type { Connection, Database } from '../database/connect.ts';
import { plannedByIndex } from '../database/planned-anew.ts';
import { inTransaction } from '../database/transaction.ts';

/**
 * One batch of an import, in a transaction whose commit does not wait for the disk: what a crash takes away are the last
 * batches, each with the place after it, so that the import goes on before them. What an import writes at its end waits, and
 * the log keeps the order of commits.
 */
export function inBatch<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return inTransaction(database, async (session) => {
    await session.query('SET LOCAL synchronous_commit = off');
    return work(await plannedByIndex(session));
  });
}
