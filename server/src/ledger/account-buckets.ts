import type { Connection } from '../database/connect.ts';
import type { ChargeSource } from './balance.ts';

/** One balance of an account: `total` is what was granted and adjusted, in calls where the source is `free`. */
export interface AccountBucket {
  id: number;
  source: ChargeSource;
  unit: 'call' | 'credit';
  /** `month`, or `grant` for credits that were given until a date. */
  period: 'month' | 'grant';
  from: string;
  to: string;
  total: number;
  used: number;
  /** By calls that are under way. */
  held: number;
  /** What can still be spent: total less used and held. */
  left: number;
}

const SELECT = `SELECT b.id, b.source, b.unit, b.period_kind AS period, utc_text(b.valid_from) AS "from",
  utc_text(b.valid_to) AS "to", b.total, b.used, b.held, b.total - b.used - b.held AS left FROM credit_bucket b`;

/** The buckets that can pay now, in the order in which they do; with `ended` also those whose time is over. */
export function readBuckets(
  connection: Connection,
  accountId: string,
  { ended = false }: { ended?: boolean } = {},
): Promise<AccountBucket[]> {
  return connection.query<AccountBucket>(
    `${SELECT} WHERE b.account_id = $1 AND b.valid_from <= ledger_now() AND ($2 OR ledger_now() < b.valid_to)
     ORDER BY ledger_now() < b.valid_to, b.prio, b.valid_to, b.id`,
    [accountId, ended],
  );
}

/** One bucket of an account, whenever it is valid; null where the account has none of this id. */
export async function readBucket(
  connection: Connection,
  accountId: string,
  bucketId: number,
): Promise<AccountBucket | null> {
  const [bucket] = await connection.query<AccountBucket>(`${SELECT} WHERE b.account_id = $1 AND b.id = $2`, [
    accountId,
    bucketId,
  ]);
  return bucket ?? null;
}
