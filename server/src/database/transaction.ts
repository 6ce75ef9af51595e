import type { Transaction } from 'sequelize';
import { type Connection, connectionTo, type Database } from './connect.ts';
import { errorCode } from './database-errors.ts';

/**
 * Runs `work` in one transaction: all of its statements take effect, or none. It commits when `work` resolves and rolls
 * back when it throws. Only statements belong inside, never a call to another system.
 */
export function inTransaction<Result>(
  database: Database,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return database.sequelize.transaction(async (transaction) => {
    const connection = connectionTo(database.sequelize, database.models, transaction);
    const failed = watchForErrors(transaction);
    const result = await work(connection).finally(failed.stop);
    if (failed.seen()) await refuseAborted(connection);
    return result;
  });
}

/** Runs `work` in the caller's open transaction, or where there is none in one of its own. */
export function withinTransaction<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  // What has no transaction open is a pool.
  return connection.transaction === null ? inTransaction(connection as Database, work) : work(connection);
}

const IN_FAILED_TRANSACTION = '25P02';

/**
 * PostgreSQL answers the COMMIT of an aborted transaction with a quiet rollback. Where `work` swallowed an error of a
 * statement, its caller must not be told that the rest was saved; after ROLLBACK TO SAVEPOINT it was.
 */
async function refuseAborted(connection: Connection): Promise<void> {
  try {
    await connection.query('SELECT 1');
  } catch (cause) {
    if (errorCode(cause)?.code !== IN_FAILED_TRANSACTION) throw cause;
    throw new Error('an error of a statement was swallowed, and with it the transaction: nothing was saved');
  }
}

/** Sees every error that the server sends on the transaction's session, of models too. */
function watchForErrors(transaction: Transaction): { seen(): boolean; stop(): void } {
  const { connection: session } = transaction as unknown as {
    connection: { connection: NodeJS.EventEmitter };
  };
  let seen = false;
  const onError = () => {
    seen = true;
  };
  session.connection.on('errorMessage', onError);
  return {
    seen: () => seen,
    stop: () => void session.connection.removeListener('errorMessage', onError),
  };
}
