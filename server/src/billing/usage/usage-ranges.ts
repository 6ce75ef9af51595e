import { addDays, type Day } from '../../access/plans/days.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { latestUsageDay, sumUsage } from './usage.queries.ts';
import type { UsageFilter, UsageRow } from './usage-by-day.ts';

/** Usage of consecutive days. */
export interface UsageRange {
  /** Sorted by latest day first, in an order that stays stable while new calls are made. */
  rows: UsageRow[];
  /** First of these days; earlier days follow. */
  from: Day;
}

/** Maximum days per statement, so that it stays fast with a million calls a month. */
const MOST_DAYS = 31;
/** Rows that take a few milliseconds; after a range with more, the next range is half as long. */
const LARGE_RANGE_ROWS = 1000;

/**
 * Yields an account's usage before a day (null: until now), range by range into the past: first one day, then more
 * days at a time while they have few rows; skips gaps without calls. A range in which nothing matches the filter is
 * empty.
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
    days = rows.length > LARGE_RANGE_ROWS ? Math.max(1, days >> 1) : Math.min(days * 2, MOST_DAYS);
  }
}

/** Fields that identify a usage row of an account. */
export type UsagePosition = Pick<UsageRow, 'day' | 'bucketId' | 'keyId'> & { operation: string };

/** Compares rows: latest day first. */
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
