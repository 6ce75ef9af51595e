import type { Connection } from '../database/connect.ts';
import { type Balance, type BalanceRow, balanceOf, type ChargeSource } from './balance.ts';
import type { RunState } from './look-up.ts';
import { READ_RUN, READ_RUN_CONFIRMED } from './read-run.sql.ts';

export interface StoredRun {
  state: RunState;
  leaseOver: boolean;
  source: ChargeSource;
  amount: number;
  attempt: number;
  bucketId: number;
  /** Null until settled. */
  scoreVersion: string | null;
  /** The bucket as it is now. */
  balance: Balance;
  /** The bucket right after this run was charged; as it is now for a run that is not, or whose release did not record it. */
  balanceAfter: Balance;
}

interface Row extends BalanceRow {
  state: RunState | null;
  lease_over: boolean;
  source: ChargeSource;
  amount: number;
  attempt: number;
  bucket_id: number;
  score_version: string | null;
  used_after: number | null;
}

/** The run as it stands now; null when there is none. An unknown outcome is resolved by this, never by guessing. */
export async function readRun(
  connection: Connection,
  accountId: string,
  ledgerId: string,
): Promise<StoredRun | null> {
  const [row] = await connection.query<Row>(READ_RUN, [accountId, ledgerId]);
  return toStored(row);
}

/**
 * The same, answered once everything that was read is as safe as a commit is meant to be: a failover can't lose it. Rejects where
 * that can't be had.
 */
export async function readRunConfirmed(
  connection: Connection,
  accountId: string,
  ledgerId: string,
): Promise<StoredRun | null> {
  const [row] = await connection.query<Row>(READ_RUN_CONFIRMED, [accountId, ledgerId]);
  return toStored(row);
}

function toStored(row: Row | undefined): StoredRun | null {
  if (!row || row.state === null) return null;
  return {
    state: row.state,
    leaseOver: row.lease_over,
    source: row.source,
    amount: row.amount,
    attempt: row.attempt,
    bucketId: row.bucket_id,
    scoreVersion: row.score_version,
    balance: balanceOf(row),
    balanceAfter: balanceOf(Object.assign({}, row, row.used_after !== null && { used: row.used_after })),
  };
}
