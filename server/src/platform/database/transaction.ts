import type { Transaction } from 'sequelize';
import { type Connection, connectionTo, type Database } from './connect.ts';
import { errorCode } from './database-errors.ts';

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. `work` must not call other
 * systems.
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

/** Runs `work` in the caller's open transaction, or in a new one if there is none. */
export function withinTransaction<Result>(
  connection: Connection,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  // A connection without a transaction is a pool.
  return connection.transaction === null ? inTransaction(connection as Database, work) : work(connection);
}

const IN_FAILED_TRANSACTION = '25P02';

/**
 * Throws if the transaction is aborted. PostgreSQL turns the COMMIT of an aborted transaction into a silent rollback,
 * so that work which ignored an error would seem to be stored. After ROLLBACK TO SAVEPOINT the transaction is no
 * longer aborted.
 */
async function refuseAborted(connection: Connection): Promise<void> {
  try {
    await connection.query('SELECT 1');
  } catch (cause) {
    if (errorCode(cause)?.code !== IN_FAILED_TRANSACTION) throw cause;
    throw new Error(
      'the error of a statement was ignored, but had aborted the transaction: nothing was saved',
    );
  }
}

/** Observes errors that the server reports on this session, including those of statements from Sequelize models. */
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
