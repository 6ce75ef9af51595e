import type { CallRecord } from '../history.ts';

/** A moment on the clients' clock, in milliseconds. */
type Moment = number;

/** A call that was charged now: a replay needs less of the cluster, and would hide that nothing can be charged. */
const isCharge = ({ outcome, body }: CallRecord) => outcome === 'ok' && !body.idempotent;

/** The longest time between two moments at which a client got a new receipt, of those between `from` and `to`. */
export function longestGapMs(calls: readonly CallRecord[], from: Moment, to: Moment): number {
  const receipts = calls.filter((call) => isCharge(call) && call.endedAt > from && call.endedAt < to);
  const moments = [from, ...receipts.map(({ endedAt }) => endedAt).sort((a, b) => a - b), to];
  return Math.round(Math.max(...moments.slice(1).map((moment, i) => moment - (moments[i] as Moment))));
}

/** Calls that began in this time and whose client was not told what became of them. */
export function untold(calls: readonly CallRecord[], from: Moment, to: Moment): CallRecord[] {
  return calls.filter(({ outcome, invokedAt }) => outcome === 'info' && invokedAt >= from && invokedAt < to);
}

/** The end of the first call that began after this moment and got a new receipt; null before there is one. */
export function firstReceiptAfter(calls: readonly CallRecord[], moment: Moment): Moment | null {
  const ends = calls.filter((call) => isCharge(call) && call.invokedAt >= moment);
  return ends.length === 0 ? null : Math.min(...ends.map(({ endedAt }) => endedAt));
}
