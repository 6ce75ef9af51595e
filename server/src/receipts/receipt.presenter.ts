import type { ReceiptPage as WirePage, Receipt as WireReceipt } from '../generated/types.gen.ts';
import { subjectReference } from '../subjects/subject.presenter.ts';
import type { Receipt, ReceiptPage } from './read-receipts.ts';
import type { RunRow } from './receipt.repository.ts';

/** Why a call came to nothing, in words that say no more than its 502 did. */
const FAILURES: Readonly<Record<NonNullable<RunRow['fail_code']>, NonNullable<WireReceipt['failure']>>> = {
  upstream: 'scoring_failed',
  upstream_timeout: 'scoring_timed_out',
  upstream_rejected: 'score_unusable',
  abandoned: 'not_finished',
  lease_expired: 'not_finished',
};

/** A receipt in the wire's names. */
export function presentReceipt({ run, subject }: Receipt): WireReceipt {
  return {
    ledger_id: run.ledger_id,
    state: run.state,
    attempt: run.attempt,
    idempotency_key: run.idempotency_key,
    operation: run.operation,
    subject: subject && subjectReference(subject),
    price_credits: run.price_credits,
    amount: run.amount,
    charged: run.state === 'settled' ? run.amount : 0,
    unit: run.unit,
    charge_source: run.source,
    period: { period_kind: run.period_kind, period_start: run.period_start, period_end: run.period_end },
    key_id: run.counted_key_id,
    score_version: run.score_version,
    failure: run.fail_code && FAILURES[run.fail_code],
    created_at: run.created_at,
    ended_at: run.ended_at,
  };
}

/** A page of receipts in the wire's names. */
export function presentReceiptPage({ receipts, nextCursor }: ReceiptPage): WirePage {
  return { data: receipts.map(presentReceipt), nextCursor };
}
