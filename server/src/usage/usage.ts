import type { ChargeSource } from '../ledger/balance.ts';
import type { Day } from '../plans/days.ts';
import type { Operation } from '../plans/plans.ts';

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
