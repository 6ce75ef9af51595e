import { DomainError } from '../domain-error.ts';
import type { ChargeSource } from '../ledger/balance.ts';
import type { Operation } from '../plans/plans.ts';

/** A day in UTC, `2026-11-21`. */
export type Day = string;

/** Which calls are asked for; null asks for any. A call belongs to the day on which it was reserved. */
export interface UsageFilter {
  /** First and last day, both included. */
  from: Day | null;
  to: Day | null;
  operation: string | null;
  /** The key that made the calls, or that a session named for them. */
  keyId: string | null;
  source: string | null;
}

/** What one day's calls of one operation, with one key, came to in the balance that pays for them. */
export interface UsageRow {
  day: Day;
  operation: Operation;
  /** All three null for calls of a session that named no key. */
  keyId: string | null;
  keyName: string | null;
  keyLastFour: string | null;
  /** The balance; with its period it is what the account's balances show under the same source and period. */
  bucketId: number;
  source: ChargeSource;
  /** What `used` and `held` count: calls where the source is `free`. */
  unit: 'call' | 'credit';
  period: 'month' | 'grant';
  periodFrom: string;
  periodTo: string;
  settledCalls: number;
  failedCalls: number;
  /** Calls under way. */
  heldCalls: number;
  /** Paid by settled calls. The rows of a bucket add up to its `used`, as `held` do to its `held`. */
  used: number;
  held: number;
}

/** The filter that lets everything through. */
export const ALL_USAGE: UsageFilter = { from: null, to: null, operation: null, keyId: null, source: null };

const DAY = /^2\d{3}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/** The day that lies so many days after another; before it where the number is negative. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Throws invalid_request where a day of the filter is none in the calendar, or its first day is after its last. */
export function requireDays({ from, to }: Pick<UsageFilter, 'from' | 'to'>): void {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== null && !isDay(day)) {
      throw new DomainError('invalid_request', `${name} is a day of the calendar, written as 2026-11-21.`);
    }
  }
  if (from !== null && to !== null && from > to) {
    throw new DomainError('invalid_request', 'from must not be after to: both days are included.');
  }
}

/** Whether a text is a day of the calendar, from the year 2000 on. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const moment = Date.parse(`${text}T00:00:00Z`);
  // JavaScript reads the 31st of a shorter month as a day of the next one.
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
}
