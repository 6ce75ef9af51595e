import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { addDays, type Day, requireDays } from '../plans/days.ts';
import { readToday } from './usage.repository.ts';
import type { UsageFilter, UsageRow } from './usage.ts';
import { usageStretches } from './usage-stretches.ts';

/** What one day's calls of one operation came to, over all keys and sources. */
interface DayUsage {
  day: Day;
  operation: string;
  settledCalls: number;
  failedCalls: number;
  heldCalls: number;
  /** Credits that settled calls cost. */
  credits: number;
  /** Settled calls that a free call paid for. */
  freeCalls: number;
}

export interface UsageByDay {
  /** The days that are shown, both included, whether calls were made on them or not. */
  from: Day;
  to: Day;
  /** Earliest day first, then by operation; a day without calls has no row. */
  days: DayUsage[];
}

/** Days that are shown where none are asked for. */
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

/**
 * An account's usage for a chart: one row per day and operation, of the last 30 days unless others are asked for. Throws
 * invalid_request for days that are none, and for more than 366 of them.
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
    throw new DomainError('invalid_request', `At most ${MOST_DAYS} days are shown at once.`);
  }
  const days = new Map<string, DayUsage>();
  for await (const { rows } of usageStretches(connection, accountId, { ...filter, from, to }, null)) {
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
