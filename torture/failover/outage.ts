import type { CallRecord } from '../history.ts';

/** A moment on the clients' clock, in milliseconds. */
type Moment = number;

/**
 * Returns true for a call that was answered with a first receipt. Replays do not count: they write nothing, so they
 * succeed even if nothing can be charged.
 */
const isCharge = ({ outcome, body }: CallRecord) => outcome === 'ok' && !body.idempotent;

/** Returns the longest time between `from` and `to` in which no client got a new receipt. */
export function longestGapMs(calls: readonly CallRecord[], from: Moment, to: Moment): number {
  const receipts = calls.filter((call) => isCharge(call) && call.endedAt > from && call.endedAt < to);
  const moments = [from, ...receipts.map(({ endedAt }) => endedAt).sort((a, b) => a - b), to];
  return Math.round(Math.max(...moments.slice(1).map((moment, i) => moment - (moments[i] as Moment))));
}

/** Returns the calls that began in this period and whose clients did not learn the outcome. */
export function untold(calls: readonly CallRecord[], from: Moment, to: Moment): CallRecord[] {
  return calls.filter(({ outcome, invokedAt }) => outcome === 'info' && invokedAt >= from && invokedAt < to);
}

/** Returns the end of the first call that began after this moment and got a new receipt; null before there is one. */
export function firstReceiptAfter(calls: readonly CallRecord[], moment: Moment): Moment | null {
  const ends = calls.filter((call) => isCharge(call) && call.invokedAt >= moment);
  return ends.length === 0 ? null : Math.min(...ends.map(({ endedAt }) => endedAt));
}
