import type { Connection } from '../../platform/database/connect.ts';
import { findBucket, findBuckets, type StoredBucket } from './account-buckets.queries.ts';

/** A bucket of an account with its remaining amount. */
export interface AccountBucket extends StoredBucket {
  /** Remaining amount: total minus used and held. */
  left: number;
}

/** Returns the valid buckets in payment order. With `ended`, the expired buckets come before them. */
export async function readBuckets(
  connection: Connection,
  accountId: string,
  { ended = false }: { ended?: boolean } = {},
): Promise<AccountBucket[]> {
  return (await findBuckets(connection, accountId, ended)).map(withLeft);
}

/** Returns one bucket of an account, expired or not; null if the account has none with this id. */
export async function readBucket(
  connection: Connection,
  accountId: string,
  bucketId: number,
): Promise<AccountBucket | null> {
  const bucket = await findBucket(connection, accountId, bucketId);
  return bucket && withLeft(bucket);
}

function withLeft(bucket: StoredBucket): AccountBucket {
  return { ...bucket, left: bucket.total - bucket.used - bucket.held };
}

/**
 * A bucket's state in API responses. `included_credits` is its total: calls if the source is `free`, otherwise
 * credits.
 */
export interface Balance {
  period_kind: 'month' | 'grant';
  period_start: string;
  period_end: string;
  included_credits: number;
  included_used: number;
}

export interface BalanceRow {
  period_kind: Balance['period_kind'];
  period_start: string;
  period_end: string;
  total: number;
  used: number;
}

/**
 * Builds the SQL columns of a balance from a bucket `b`; the expression `used` replaces the bucket's current used
 * amount.
 */
export function balanceColumns(used = 'b.used'): string {
  return `b.period_kind, utc_text(b.valid_from) AS period_start, utc_text(b.valid_to) AS period_end,
  b.total, ${used} AS used`;
}

export function balanceOf(row: BalanceRow): Balance {
  return {
    period_kind: row.period_kind,
    period_start: row.period_start,
    period_end: row.period_end,
    included_credits: row.total,
    included_used: row.used,
  };
}
