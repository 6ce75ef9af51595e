import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Transaction } from 'sequelize';
import { SET_NO_TIMEOUTS } from './advisory-lock.ts';
import { type Connection, connectionTo, type Database } from './connect.ts';
import { errorCode, isStalePreparedStatement } from './database-errors.ts';

/**
 * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Throws if `work` resolves
 * although a failed statement has aborted the transaction. `work` must not call other systems.
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

// Unique violation, serialization failure, deadlock, lock timeout: a concurrent transaction won, and a retry may
// succeed.
const CONFLICTS = new Set(['23505', '40001', '40P01', '55P03']);

const ATTEMPTS = 6;

const WAIT_MS = 200;

/**
 * Runs atomic work (a transaction or one statement) and retries it up to five times after a conflict with a concurrent
 * transaction or a stale prepared statement. `isConflict` recognizes further errors after which to retry. Without
 * retries, `retry-conflicts.long.test.ts` fails.
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  isConflict: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const code = errorCode(error)?.code ?? '';
      const conflict = CONFLICTS.has(code) || isStalePreparedStatement(error) || isConflict(error);
      if (attempt === ATTEMPTS || !conflict) throw error;
      await wait(attempt * WAIT_MS);
    }
  }
}

/**
 * Lock timeout of one attempt of a schema change. While a statement waits to lock a whole table, all later statements
 * on that table queue behind it. The waiting statement therefore gives up soon and is retried.
 */
export const LOCK_WAIT_MS = 1_000;
/** Maximum attempts of a schema change. With the pauses between them, they take about two minutes. */
const LOCK_TRIES = 60;
const BETWEEN_TRIES_MS = 1_000;
/** 55P03: lock timeout. 40P01: deadlock. */
const LOCK_CODES: readonly unknown[] = ['55P03', '40P01'];

/** Duration of all attempts with their pauses, if each attempt ends with a lock timeout. */
export const MAX_WAIT_MS = LOCK_TRIES * (LOCK_WAIT_MS + BETWEEN_TRIES_MS);

/** Timeouts of a schema change. */
export interface LockTimeouts {
  /** Lock timeout of one attempt of a transaction. */
  readonly lockWaitMs: number;
  /**
   * Lock timeout of CREATE INDEX CONCURRENTLY. It may be long, because the waiting statement blocks no reader or
   * writer.
   */
  readonly concurrentWaitMs: number;
}

/**
 * Runs work in a transaction and retries it when it cannot get its locks. Other transactions proceed during the pauses.
 * Without retries, `migrate.long.test.ts` fails.
 */
export async function inRetriedTransaction(
  client: pg.Client,
  lockWaitMs: number,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('BEGIN');
    try {
      await client.query(`${SET_NO_TIMEOUTS}; SET LOCAL lock_timeout = ${lockWaitMs}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      // On a broken connection there is nothing to roll back, and the first error is the one to report.
      await client.query('ROLLBACK').catch(() => undefined);
      if (tries === LOCK_TRIES || !LOCK_CODES.includes((error as pg.DatabaseError).code)) throw error;
    }
    await wait(BETWEEN_TRIES_MS);
  }
}
