import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.ts';
import { type Figures, mustHold } from '../experiment.ts';
import { firstReceiptAfter, longestGapMs } from '../failover/outage.ts';
import type { CallRecord } from '../history.ts';
import { mustSayWhen, type Scene, untilMoreReceipts } from '../under-load.ts';

/** A fault with a limited duration. */
export interface Strike {
  readonly name: string;
  readonly lastsMs: number;
  begin(): unknown;
  end(): unknown;
}

const RECEIPTS_BETWEEN = 30;
const PATIENCE_MS = 60_000;
/** Maximum time that a call may hang during a fault, and maximum time to the first receipt after it, as the documents promise. */
const LONGEST_HANG_MS = 5_000;
const LONGEST_RECOVERY_MS = 2_000;
/** Statuses that clients may get while a fault lasts. */
const DEFINED = new Set([200, 402, 404, 409, 422, 429, 502, 503]);

/**
 * Applies a fault to servers under load and returns what was measured; fails the experiment if a guarantee did not
 * hold.
 */
export async function strikeOnce(arena: Arena, { history }: Scene, strike: Strike): Promise<Figures> {
  await untilMoreReceipts(history, RECEIPTS_BETWEEN, arena.limit(PATIENCE_MS));
  const begunAt = performance.now();
  await strike.begin();
  await sleep(strike.lastsMs);
  await strike.end();
  const healedAt = performance.now();
  await untilMoreReceipts(history, RECEIPTS_BETWEEN, arena.limit(PATIENCE_MS));
  const backAt = await firstAfter(history.calls, healedAt, arena.limit(PATIENCE_MS));
  const calls = history.calls.filter(({ endedAt }) => endedAt >= begunAt);
  const longestCallMs = Math.round(Math.max(...calls.map((call) => call.endedAt - call.invokedAt)));
  const recoveryMs = Math.round(backAt - healedAt);
  const hang = arena.limit(LONGEST_HANG_MS);
  mustHold(longestCallMs <= hang, `${strike.name}: a call took ${longestCallMs} ms, more than ${hang}`);
  const recovery = arena.limit(LONGEST_RECOVERY_MS);
  mustHold(recoveryMs <= recovery, `${strike.name}: the first receipt came ${recoveryMs} ms after its end`);
  const odd = calls.filter(({ status }) => status !== 0 && !DEFINED.has(status));
  mustHold(odd.length === 0, `${strike.name}: ${odd.map(({ status }) => status)} were answered`);
  mustSayWhen(history);
  return {
    calls: calls.length,
    acknowledged: calls.filter(({ outcome }) => outcome === 'ok').length,
    refused: calls.filter(({ status }) => status === 503).length,
    unanswered: calls.filter(({ status }) => status === 0).length,
    longestCallMs,
    outageMs: longestGapMs(history.calls, begunAt, backAt),
    recoveryMs,
  };
}

async function firstAfter(calls: readonly CallRecord[], moment: number, limitMs: number): Promise<number> {
  for (;;) {
    const first = firstReceiptAfter(calls, moment);
    if (first !== null) return first;
    mustHold(performance.now() < moment + limitMs, 'no call succeeds again');
    await sleep(20);
  }
}
