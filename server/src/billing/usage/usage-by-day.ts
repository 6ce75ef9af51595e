import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import { addDays, type Day, requireDays } from '../../access/plans/days.ts';
import type { Operation } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { latestUsageDay, readToday, sumUsage } from './usage.queries.ts';

/** Filter for calls; null means any. A call belongs to the day on which it was reserved. */
export interface UsageFilter {
  /** First and last day, both included. */
  from: Day | null;
  to: Day | null;
  operation: string | null;
  /** Key that made the calls. For calls of a console session: the key to which the session attributes them. */
  keyId: string | null;
  source: string | null;
}

/** Usage of one operation on one day, with one key, paid from one bucket. */
export interface UsageRow {
  day: Day;
  operation: Operation;
  /** Null, like the next two fields, for a session's calls that are attributed to no key. */
  keyId: string | null;
  keyName: string | null;
  keyLastFour: string | null;
  /** Bucket that paid. The account's balances show it by the source and period of this row. */
  bucketId: number;
  source: ChargeSource;
  /** Unit of `used` and `held`: `call` if the source is `free`, otherwise `credit`. */
  unit: 'call' | 'credit';
  /** Kind of the bucket's period, which begins at `periodFrom` and ends before `periodTo` (ISO 8601). */
  period: 'month' | 'grant';
  periodFrom: string;
  periodTo: string;
  settledCalls: number;
  failedCalls: number;
  /** Number of calls in progress. */
  heldCalls: number;
  /**
   * Amount paid for settled calls; `held` is the amount reserved by calls in progress. Summed over all rows of a
   * bucket, they equal the used and held amounts of the bucket.
   */
  used: number;
  held: number;
}

/** Filter that matches every call. */
export const ALL_USAGE: UsageFilter = { from: null, to: null, operation: null, keyId: null, source: null };

/** Usage of one operation on one day, over all keys and sources. */
interface DayUsage {
  day: Day;
  operation: string;
  settledCalls: number;
  failedCalls: number;
  heldCalls: number;
  /** Credits paid by settled calls. */
  credits: number;
  /** Settled calls paid with free calls. */
  freeCalls: number;
}

export interface UsageByDay {
  /** First and last day, both included, even if they have no calls. */
  from: Day;
  to: Day;
  /** Sorted by day, then by operation; days without calls are omitted. */
  days: DayUsage[];
}

/** Number of days to sum up if the filter has no first day. */
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/**
 * Sums an account's usage per day and operation for a chart, by default for the last 30 days. Throws invalid_request
 * for invalid days and for more than 366 days.
 */
export async function usageByDay(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
): Promise<UsageByDay> {
  requireDays(filter);
  const to = filter.to ?? (await readToday(connection));
  const from = filter.from ?? addDays(to, 1 - USUAL_DAYS);
  requireDays({ from, to });
  if (addDays(from, MOST_DAYS) <= to) {
    throw new DomainError('invalid_request', `The range must have at most ${MOST_DAYS} days.`);
  }
  const days = new Map<string, DayUsage>();
  for await (const { rows } of usageRanges(connection, accountId, { ...filter, from, to }, null)) {
    for (const row of rows) add(row, days);
  }
  return { from, to, days: [...days].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, day]) => day) };
}

function add(row: UsageRow, days: Map<string, DayUsage>): void {
  const { day, operation } = row;
  const none = { settledCalls: 0, failedCalls: 0, heldCalls: 0, credits: 0, freeCalls: 0 };
  const sum = days.get(`${day} ${operation}`) ?? { day, operation, ...none };
  sum.settledCalls += row.settledCalls;
  sum.failedCalls += row.failedCalls;
  sum.heldCalls += row.heldCalls;
  if (row.unit === 'call') sum.freeCalls += row.used;
  else sum.credits += row.used;
  days.set(`${day} ${operation}`, sum);
}

/** Usage of consecutive days. */
interface UsageRange {
  /** Sorted by latest day first; the order of rows does not change while new calls are made. */
  rows: UsageRow[];
  /** First day of the range; the next range is earlier. */
  from: Day;
}

/** Maximum days per statement, so that it stays fast with a million calls a month. */
const MOST_RANGE_DAYS = 31;
/**
 * Number of rows of a range above which the next range is half as long. One statement returns this many rows within a
 * few milliseconds.
 */
const LARGE_RANGE_ROWS = 1000;

/**
 * Yields an account's usage in ranges of days, latest first. Starts with the last day before `before` (null: with the
 * filter's last day, or today). The first range is one day; ranges get longer while they have few rows, and skip days
 * without calls. A range is empty if none of its calls match the filter.
 */
export async function* usageRanges(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
  before: Day | null,
): AsyncGenerator<UsageRange, void, void> {
  let end = before ?? (filter.to && addDays(filter.to, 1));
  for (let days = 1; ; ) {
    const last = await latestUsageDay(connection, accountId, filter, end);
    if (last === null || (filter.from !== null && last < filter.from)) return;
    const start = addDays(last, 1 - days);
    const from = filter.from !== null && filter.from > start ? filter.from : start;
    const rows = await sumUsage(connection, accountId, filter, [from, addDays(last, 1)]);
    yield { rows: rows.sort(compareUsage), from };
    end = from;
    days = rows.length > LARGE_RANGE_ROWS ? Math.max(1, days >> 1) : Math.min(days * 2, MOST_RANGE_DAYS);
  }
}

/** Fields that identify a usage row of an account. */
export type UsagePosition = Pick<UsageRow, 'day' | 'bucketId' | 'keyId'> & { operation: string };

/** Compares rows for sorting: latest day first, then by operation, bucket and key. */
export function compareUsage(one: UsagePosition, other: UsagePosition): number {
  return (
    compareText(other.day, one.day) ||
    compareText(one.operation, other.operation) ||
    one.bucketId - other.bucketId ||
    compareText(one.keyId ?? '', other.keyId ?? '')
  );
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
