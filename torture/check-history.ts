import type { Connection } from '../server/src/platform/database/connect.ts';
import { readCharges, wrongSteps } from '../server/testing/ledger/check-steps.ts';
import type { CallRecord } from './history.ts';

interface StoredRun {
  ledger_id: string;
  account_id: string;
  idempotency_key: string;
  state: string;
  source: string;
  amount: number;
  ended_at: string | null;
  settle_entries: number;
}

const RUNS = `
SELECT r.ledger_id, r.account_id, r.idempotency_key, r.state, r.source, r.amount, utc_text(r.ended_at) AS ended_at,
  (SELECT count(*)::int FROM ledger_entry e WHERE e.account_id = r.account_id AND e.ledger_id = r.ledger_id
    AND e.kind = 'settle') AS settle_entries
FROM usage_run r`;

/** Maximum number of calls to the scoring backend per run: one, and a second one after a 429. */
const MOST_REQUESTS = 2;

/** Result of comparing a history with the ledger. */
export interface HistoryReport {
  lost: number;
  doubled: number;
  /** Descriptions of the differences, with ids. */
  wrong: string[];
}

/**
 * Compares the answers that clients received with the ledger. Each acknowledged charge exists exactly once. A refusal
 * charged nothing, and neither did a 503 that says "nothing was charged". Any other call with an unknown outcome charged at
 * most once. Every charge belongs to a call whose client got a receipt or an unknown outcome. Calls that followed one
 * another in real time are charged in that order. Each first receipt shows the balance right after its charge. Only reads;
 * run it after the last call.
 */
export async function checkHistory(
  connection: Connection,
  calls: readonly CallRecord[],
  upstreamCalls: ReadonlyMap<string, number>,
): Promise<HistoryReport> {
  const runs = new Map((await connection.query<StoredRun>(RUNS)).map((run) => [run.ledger_id, run]));
  const report: HistoryReport = { lost: 0, doubled: 0, wrong: [] };
  const byKey = groupBy(calls, keyOf);
  for (const call of calls) checkAnswer(call, runs, report);
  checkKeys(byKey, runs, report);
  for (const ofAccount of groupBy(calls, ({ accountId }) => accountId).values()) {
    checkOrder(ofAccount, runs, report);
  }
  report.wrong.push(...wrongSteps(calls.flatMap(firstReceiptOf), await readCharges(connection)));
  for (const [runId, times] of upstreamCalls) {
    if (runId !== 'undefined' && (times > MOST_REQUESTS || !runs.has(runId)))
      report.wrong.push(
        `the upstream was asked ${times} times for ${runs.has(runId) ? 'run' : 'no run:'} ${runId}`,
      );
  }
  return report;
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
}

const keyOf = ({ accountId, idempotencyKey }: Pick<CallRecord, 'accountId' | 'idempotencyKey'>) =>
  `${accountId}/${idempotencyKey}`;

/** Checks that a receipt or a 502 matches its stored run, and that no answer is a 500. */
function checkAnswer(call: CallRecord, runs: ReadonlyMap<string, StoredRun>, report: HistoryReport): void {
  const { body, status } = call;
  const run = body.ledger_id === undefined ? undefined : runs.get(body.ledger_id);
  if (status === 500) report.wrong.push(`500 for ${keyOf(call)}`);
  if (call.outcome === 'ok') {
    const same =
      run?.state === 'settled' &&
      run.settle_entries === 1 &&
      belongs(call, run) &&
      run.source === body.charge_source;
    if (!same) {
      report.lost += 1;
      report.wrong.push(
        `acknowledged ${body.ledger_id} of ${keyOf(call)} is stored as ${JSON.stringify(run)}`,
      );
    }
  }
  if (status === 502 && !(run?.state === 'failed' && belongs(call, run))) {
    report.wrong.push(
      `a 502 named ${body.ledger_id} of ${keyOf(call)}, which is stored as ${JSON.stringify(run)}`,
    );
  }
}

/** Text of a 503 that guarantees that this attempt is never charged. */
const NO_CHARGE = /\bnothing was charged\b/i;

/** Returns true if the answer does not tell whether the call was charged. */
function isUnknown({ outcome, status, body }: CallRecord): boolean {
  return outcome === 'info' && !(status === 503 && NO_CHARGE.test(body.error ?? ''));
}

function firstReceiptOf({ outcome, body }: CallRecord) {
  const { ledger_id: ledgerId, balance_after: balance } = body;
  if (outcome !== 'ok' || body.idempotent || !ledgerId || !balance) return [];
  return [{ ledgerId, used: balance.included_used }];
}

function belongs(call: CallRecord, run: StoredRun): boolean {
  return run.account_id === call.accountId && run.idempotency_key === call.idempotencyKey;
}

/**
 * Checks that each idempotency key has at most one charge and one first receipt, and that its client got a first
 * receipt or an unknown outcome if there is a charge.
 */
function checkKeys(
  byKey: ReadonlyMap<string, CallRecord[]>,
  runs: ReadonlyMap<string, StoredRun>,
  report: HistoryReport,
): void {
  const settled = new Map<string, number>();
  for (const run of runs.values()) {
    if (run.state !== 'settled') continue;
    const key = `${run.account_id}/${run.idempotency_key}`;
    settled.set(key, (settled.get(key) ?? 0) + 1);
    if (!byKey.has(key)) report.wrong.push(`charged without a call: ${key}`);
  }
  for (const [key, calls] of byKey) {
    const charges = settled.get(key) ?? 0;
    const receipts = calls.filter(({ outcome }) => outcome === 'ok');
    const first = receipts.filter(({ body }) => !body.idempotent);
    const unknown = calls.some(isUnknown);
    if (charges > 1 || first.length > 1) {
      report.doubled += 1;
      report.wrong.push(`${key} is charged ${charges} times, with ${first.length} first receipts`);
    }
    if (new Set(receipts.map(({ body }) => body.ledger_id)).size > 1)
      report.wrong.push(`${key} has two receipts`);
    if (charges > 0 && first.length === 0 && !unknown)
      report.wrong.push(`${key} is charged, and nobody was told`);
  }
}

interface Charge {
  call: CallRecord;
  bucket: string;
  used: number;
  version: string;
  storedAt: string;
}

/**
 * Checks the order of calls that did not overlap. A later first receipt has a higher used amount of its bucket, a newer
 * score version of its subject, and a later stored time. A later replay has no lower used amount.
 */
function checkOrder(
  calls: readonly CallRecord[],
  runs: ReadonlyMap<string, StoredRun>,
  report: HistoryReport,
): void {
  const charges = calls.filter(({ outcome }) => outcome === 'ok').map((call) => chargeOf(call, runs));
  const ended = [...charges].sort((a, b) => a.call.endedAt - b.call.endedAt);
  const begun = [...charges].sort((a, b) => a.call.invokedAt - b.call.invokedAt);
  const highest = new Map<string, number>();
  const newest = new Map<string, string>();
  let latest = '';
  let next = 0;
  for (const charge of begun) {
    for (; next < ended.length && (ended[next] as Charge).call.endedAt < charge.call.invokedAt; next++) {
      const before = ended[next] as Charge;
      highest.set(before.bucket, Math.max(before.used, highest.get(before.bucket) ?? 0));
      if (before.version > (newest.get(before.call.subject) ?? ''))
        newest.set(before.call.subject, before.version);
      if (before.storedAt > latest) latest = before.storedAt;
    }
    const fresh = !charge.call.body.idempotent;
    const least = (highest.get(charge.bucket) ?? 0) + (fresh ? 1 : 0);
    const older =
      fresh && (charge.version <= (newest.get(charge.call.subject) ?? '') || charge.storedAt <= latest);
    if (charge.used < least || older)
      report.wrong.push(
        `out of real-time order: ${keyOf(charge.call)} tells of ${charge.used}, ${least} was told before; ${charge.version} at ${charge.storedAt} after ${latest}`,
      );
  }
}

function chargeOf(call: CallRecord, runs: ReadonlyMap<string, StoredRun>): Charge {
  const { body } = call;
  return {
    call,
    bucket: `${body.charge_source} ${body.balance_after?.period_start}`,
    used: body.balance_after?.included_used ?? -1,
    version: body.idempotent ? '' : (body.result?.score_evidence?.score_version ?? ''),
    storedAt: body.idempotent ? '' : (runs.get(body.ledger_id ?? '')?.ended_at ?? ''),
  };
}
