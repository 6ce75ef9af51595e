import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { SET_NO_TIMEOUTS } from './advisory-lock.ts';
import { errorCode, isStalePreparedStatement } from './database-errors.ts';

// Unique violation, serialization failure, deadlock, lock timeout: a concurrent transaction won, and a retry may
// succeed.
const CONFLICTS = new Set(['23505', '40001', '40P01', '55P03']);

const ATTEMPTS = 6;

const WAIT_MS = 200;

/**
 * Runs atomic work (a transaction or one statement) and retries it up to five times on conflicts with concurrent
 * transactions. `isConflict` recognizes further errors of the caller. Without retries, `retry-conflicts.db.test.ts`
 * fails.
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
 * Lock timeout of one attempt. While a statement waits to lock a whole table, all later statements on that table queue
 * behind it. It therefore gives up soon and retries.
 */
export const LOCK_WAIT_MS = 1_000;
/** Maximum attempts. With the pauses between them, they take about two minutes. */
const LOCK_TRIES = 60;
const BETWEEN_TRIES_MS = 1_000;
/** 55P03: lock timeout. 40P01: deadlock. */
const LOCK_CODES: readonly unknown[] = ['55P03', '40P01'];

/** Duration of all attempts with their pauses. */
export const MAX_WAIT_MS = LOCK_TRIES * (LOCK_WAIT_MS + BETWEEN_TRIES_MS);

/** Timeouts of a schema change. */
export interface LockTimeouts {
  /** Lock timeout of one attempt of a transaction. */
  readonly lockWaitMs: number;
  /** Timeout of statements that block no other statements. */
  readonly concurrentWaitMs: number;
}

/**
 * Runs work in a transaction and retries it when it cannot get its locks. Other transactions proceed during the pauses.
 * Without retries, `migrate.db.test.ts` fails.
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
