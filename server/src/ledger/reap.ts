import type { Connection } from '../database/connect.ts';
import { DUE, DUE_OF_ACCOUNT, MOST_AT_ONCE, REAP } from './reap.sql.ts';

interface Reaped {
  reaped: number;
  seen: number;
}

const NOTHING: Reaped = { reaped: 0, seen: 0 };

/** S4: ends the runs of one bucket whose lease is over and gives their holds back; answers how many. */
export async function reapBucket(
  connection: Connection,
  accountId: string,
  bucketId: number,
): Promise<number> {
  let total = 0;
  for (;;) {
    const [row] = await connection.query<Reaped>(REAP, [accountId, bucketId]);
    const { reaped, seen } = row ?? NOTHING;
    total += reaped;
    if (reaped > 0) connection.watch?.reaped?.(reaped);
    // A statement that waited for the bucket may have seen runs that somebody else has ended since, in place of others.
    if (reaped === seen && seen < MOST_AT_ONCE) return total;
  }
}

/** Reaps what is due in one account, on demand: no call is refused because of a hold whose lease is over. */
export async function reapAccount(connection: Connection, accountId: string): Promise<number> {
  const due = await connection.query<{ bucket_id: number }>(DUE_OF_ACCOUNT, [accountId]);
  let total = 0;
  for (const { bucket_id } of due) total += await reapBucket(connection, accountId, bucket_id);
  return total;
}

/**
 * Reaps everything that is due, bucket by bucket. A bucket that cannot be had just now (somebody holds it) does not keep
 * the others waiting; its error is thrown once the rest is done.
 */
export async function reapDue(connection: Connection): Promise<number> {
  const due = await connection.query<{ account_id: string; bucket_id: number }>(DUE);
  const failures: unknown[] = [];
  let total = 0;
  for (const { account_id, bucket_id } of due) {
    try {
      total += await reapBucket(connection, account_id, bucket_id);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return total;
}
