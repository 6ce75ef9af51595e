import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FUTURE, type NamedColumn, PAST, sql, utcText } from '../../platform/database/models/table.ts';

/**
 * A stored bucket. `total` is the sum of all grants and adjustments: calls if the source is `free`, otherwise
 * credits.
 */
export interface StoredBucket {
  id: number;
  source: ChargeSource;
  unit: 'call' | 'credit';
  /** `month` for a bucket of one calendar month, `grant` for granted credits, which expire at `to`. */
  period: 'month' | 'grant';
  from: string;
  to: string;
  total: number;
  used: number;
  /** Amount reserved by calls in progress. */
  held: number;
}

const COLUMNS: (string | NamedColumn)[] = [
  'id',
  'source',
  'unit',
  ['period_kind', 'period'],
  utcText('valid_from', 'from'),
  utcText('valid_to', 'to'),
  'total',
  'used',
  'held',
];

/** Returns the valid buckets in payment order. With `withEnded`, the expired buckets come before them. */
export function findBuckets(
  { models, transaction }: Connection,
  accountId: string,
  withEnded: boolean,
): Promise<StoredBucket[]> {
  return models.CreditBucket.findAll<StoredBucket>({
    attributes: COLUMNS,
    where: { accountId, validFrom: PAST, ...(!withEnded && { validTo: FUTURE }) },
    order: [sql('ledger_now() < valid_to'), 'prio', 'validTo', 'id'],
    raw: true,
    transaction,
  });
}

/** Returns one bucket of an account, or null. */
export function findBucket(
  { models, transaction }: Connection,
  accountId: string,
  id: number,
): Promise<StoredBucket | null> {
  const where = { accountId, id };
  return models.CreditBucket.findOne<StoredBucket>({ attributes: COLUMNS, where, raw: true, transaction });
}
