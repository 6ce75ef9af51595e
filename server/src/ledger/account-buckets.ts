import type { Connection } from '../database/connect.ts';
import { findBucket, findBuckets, type StoredBucket } from './account-buckets.repository.ts';

/** One balance of an account. */
export interface AccountBucket extends StoredBucket {
  /** What can still be spent: total less used and held. */
  left: number;
}

/** The buckets that can pay now, in the order in which they do; with `ended` also those whose time is over, first. */
export async function readBuckets(
  connection: Connection,
  accountId: string,
  { ended = false }: { ended?: boolean } = {},
): Promise<AccountBucket[]> {
  return (await findBuckets(connection, accountId, ended)).map(withLeft);
}

/** One bucket of an account, whenever it is valid; null where the account has none of this id. */
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
