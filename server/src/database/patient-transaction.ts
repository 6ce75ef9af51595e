import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { WITHOUT_LIMITS } from './advisory-lock.ts';

/** What comes after a statement that waits for a whole table waits behind it: so it gives up soon, and tries again. */
export const LOCK_WAIT_MS = 1_000;
/** With the waits between them this lets others work for two minutes before it is given up. */
const LOCK_TRIES = 60;
const BETWEEN_TRIES_MS = 1_000;
/** 55P03: a lock was not to be had in time. 40P01: two sessions would have waited for each other. */
const LOCK_CODES: readonly unknown[] = ['55P03', '40P01'];

/** All those tries and the waits between them. */
export const LONGEST_WAIT_MS = LOCK_TRIES * (LOCK_WAIT_MS + BETWEEN_TRIES_MS);

/** How long a change of the schema waits for others. */
export interface Patience {
  /** For each lock of a transaction, in one try of many. */
  readonly lockWaitMs: number;
  /** For whatever keeps nobody waiting. */
  readonly concurrentWaitMs: number;
}

/** Tries again where others hold what it needs; they come to their turn between two tries. */
export async function inPatientTransaction(
  client: pg.Client,
  lockWaitMs: number,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('BEGIN');
    try {
      await client.query(`${WITHOUT_LIMITS}; SET LOCAL lock_timeout = ${lockWaitMs}`);
      await work();
      await client.query('COMMIT');
      return;
    } catch (error) {
      // On a connection that broke there is nothing left to roll back, and the first error is the one to tell.
      await client.query('ROLLBACK').catch(() => undefined);
      if (tries === LOCK_TRIES || !LOCK_CODES.includes((error as pg.DatabaseError).code)) throw error;
    }
    await wait(BETWEEN_TRIES_MS);
  }
}
