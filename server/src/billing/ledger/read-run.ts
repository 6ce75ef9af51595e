import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import { CONFIRM_READS } from '../../platform/database/confirmed-client.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type Balance, type BalanceRow, balanceColumns, balanceOf } from './account-buckets.ts';
import type { RunState } from './billing-context.ts';

const COLUMNS = `r.state, r.lease_until <= ledger_now() AS lease_over, r.source, r.amount, r.attempt,
    r.bucket_id, utc_text(r.score_version) AS score_version, ${balanceColumns()}, r.used_after,
    r.signature_sha256`;

const RUN = 'usage_run r JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id';

const ASKED = 'r.account_id = $1 AND r.ledger_id = $2';

/** Selects a run with its bucket, and whether its lease has expired by the database clock. */
const READ_RUN = `SELECT ${COLUMNS} FROM ${RUN} WHERE ${ASKED}`;

/**
 * Selects the same columns as `READ_RUN`. If there is no such run, it returns a row whose state is null. It also writes
 * a message to the write-ahead log, so that the commit waits for the standby. The standby's confirmation proves that
 * this server was still the primary when it read the run. A separate read could come from a former primary.
 */
export const READ_RUN_CONFIRMED = `SELECT ${COLUMNS}
  FROM ${CONFIRM_READS} LEFT JOIN (${RUN}) ON ${ASKED}`;

export interface StoredRun {
  state: RunState;
  leaseOver: boolean;
  source: ChargeSource;
  amount: number;
  attempt: number;
  bucketId: number;
  /** Version of the score; null until settled. */
  scoreVersion: string | null;
  /** SHA-256 of the signed score; null if there is none. */
  signatureSha256: Buffer | null;
  /** The bucket's current balance. */
  balance: Balance;
  /**
   * The bucket's balance right after this run was charged. If the run was not charged, this is the current balance. It
   * is also the current balance if the run was settled by an earlier release of this program, which did not record the
   * balance.
   */
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
  signature_sha256: Buffer | null;
}

/** Returns the stored run; null if there is none. Callers use it to resolve an unknown outcome of a statement. */
export async function readRun(
  connection: Connection,
  accountId: string,
  ledgerId: string,
): Promise<StoredRun | null> {
  const [row] = await connection.query<Row>(READ_RUN, [accountId, ledgerId]);
  return toStored(row);
}

/**
 * Returns the stored run, or null if there is none, after the standby has confirmed this read. A failover therefore
 * cannot lose the run. Rejects if the standby does not confirm.
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
    signatureSha256: row.signature_sha256,
    balance: balanceOf(row),
    balanceAfter: balanceOf(Object.assign({}, row, row.used_after !== null && { used: row.used_after })),
  };
}
