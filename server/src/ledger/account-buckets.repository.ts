import type { Connection } from '../database/connect.ts';
import { AHEAD, type NamedColumn, PAST, sql, utcText } from '../database/models/expressions.ts';
import type { ChargeSource } from './balance.ts';

/** A bucket as it is stored: `total` is what was granted and adjusted, in calls where the source is `free`. */
export interface StoredBucket {
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

/** The buckets that pay now, in the order in which they do; where asked, after those whose time is over. */
export function findBuckets(
  { models, transaction }: Connection,
  accountId: string,
  withEnded: boolean,
): Promise<StoredBucket[]> {
  return models.CreditBucket.findAll<StoredBucket>({
    attributes: COLUMNS,
    where: { accountId, validFrom: PAST, ...(!withEnded && { validTo: AHEAD }) },
    order: [sql('ledger_now() < valid_to'), 'prio', 'validTo', 'id'],
    raw: true,
    transaction,
  });
}

/** One bucket of an account, or null. */
export function findBucket(
  { models, transaction }: Connection,
  accountId: string,
  id: number,
): Promise<StoredBucket | null> {
  const where = { accountId, id };
  return models.CreditBucket.findOne<StoredBucket>({ attributes: COLUMNS, where, raw: true, transaction });
}
