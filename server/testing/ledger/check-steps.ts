import type { Connection } from '../../src/platform/database/connect.ts';

/** A charged 200 answer, as the client received it. */
export interface AcknowledgedCharge {
  readonly ledgerId: string;
  /** Value of `balance_after.included_used` in the answer. */
  readonly used: number;
}

/** A charge in the ledger. */
export interface ChargeEntry {
  readonly bucket: string;
  readonly ledgerId: string;
  /** Amount in the bucket's unit: 1 for a free call, otherwise credits. */
  readonly amount: number;
}

/** Reads the charges of all buckets in the ledger's order. */
export function readCharges(connection: Connection): Promise<ChargeEntry[]> {
  return connection.query<ChargeEntry>(
    `SELECT e.account_id || '/' || e.bucket_id AS bucket, e.ledger_id AS "ledgerId", e.d_used AS amount
     FROM ledger_entry e JOIN usage_run r ON r.account_id = e.account_id AND r.ledger_id = e.ledger_id
     WHERE e.kind = 'settle' ORDER BY e.at, r.used_after`,
  );
}

/**
 * Compares answers with the ledger, call by call: each answer's `included_used` must equal the sum of its bucket's
 * charges up to its own, in the ledger's order. Returns descriptions of the differences.
 */
export function wrongSteps(
  answers: readonly AcknowledgedCharge[],
  charges: readonly ChargeEntry[],
): string[] {
  const sums = new Map<string, number>();
  const due = new Map<string, number>();
  for (const { bucket, ledgerId, amount } of charges) {
    const used = (sums.get(bucket) ?? 0) + amount;
    sums.set(bucket, used);
    due.set(ledgerId, used);
  }
  return answers
    .filter(({ ledgerId, used }) => due.get(ledgerId) !== used)
    .map(({ ledgerId, used }) => `${ledgerId} was told ${used} used, its bucket had ${due.get(ledgerId)}`);
}
