import type { Connection } from '../database/connect.ts';
import { addDays, type Day } from '../plans/days.ts';
import { latestUsageDay, sumUsage } from './usage.repository.ts';
import type { UsageFilter, UsageRow } from './usage.ts';

/** Some days in a row. */
export interface UsageStretch {
  /** Latest day first, in an order that stays the same while new calls are made. */
  rows: UsageRow[];
  /** The first of these days: the rest lies before it. */
  from: Day;
}

/** Days that one statement adds up at most, so that it stays short with a million calls a month. */
const MOST_DAYS = 31;
/** So many rows at once are a few milliseconds' work; where a stretch had more, the next one is half as long. */
const MANY_ROWS = 1000;

/**
 * An account's usage before a day (null: to this moment), stretch by stretch into the past: a day at first, then ever
 * more days while they hold few rows, over gaps without calls at once. A stretch in which the filter lets nothing through
 * is empty.
 */
export async function* usageStretches(
  connection: Connection,
  accountId: string,
  filter: UsageFilter,
  before: Day | null,
): AsyncGenerator<UsageStretch, void, void> {
  let end = before ?? (filter.to && addDays(filter.to, 1));
  for (let days = 1; ; ) {
    const last = await latestUsageDay(connection, accountId, filter, end);
    if (last === null || (filter.from !== null && last < filter.from)) return;
    const start = addDays(last, 1 - days);
    const from = filter.from !== null && filter.from > start ? filter.from : start;
    const rows = await sumUsage(connection, accountId, filter, [from, addDays(last, 1)]);
    yield { rows: rows.sort(compareUsage), from };
    end = from;
    days = rows.length > MANY_ROWS ? Math.max(1, days >> 1) : Math.min(days * 2, MOST_DAYS);
  }
}

/** What tells a row from every other one of its account. */
export type UsagePlace = Pick<UsageRow, 'day' | 'bucketId' | 'keyId'> & { operation: string };

/** The order of usage: latest day first. */
export function compareUsage(one: UsagePlace, other: UsagePlace): number {
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
