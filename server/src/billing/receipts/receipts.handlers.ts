import type { Authentication } from '../../access/callers/authenticate-caller.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { subjectReference } from '../../catalog/subjects/subject.presenter.ts';
import type { ReceiptPage as WirePage, Receipt as WireReceipt } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { HandlersOf, RequestOf } from '../../platform/http/contract/handlers-of.ts';
import type { Receipt, ReceiptPage } from './read-receipts.ts';
import { listReceipts, lookUpReceipt, readReceipt } from './read-receipts.ts';
import type { RunRow } from './receipt.queries.ts';
import { type ReceiptSearch, searchReceipts } from './search-receipts.ts';

/**
 * Failure that a receipt shows for each stored `fail_code`. It reveals no more than the response of the failed call.
 */
const FAILURES: Readonly<Record<NonNullable<RunRow['fail_code']>, NonNullable<WireReceipt['failure']>>> = {
  upstream: 'scoring_failed',
  upstream_timeout: 'scoring_timed_out',
  upstream_rejected: 'score_unusable',
  abandoned: 'not_finished',
  lease_expired: 'not_finished',
};

/** Converts a receipt to the API's format. */
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
    signature_sha256: run.signature_sha256,
    failure: run.fail_code && FAILURES[run.fail_code],
    created_at: run.created_at,
    ended_at: run.ended_at,
  };
}

/** Converts a page of receipts to the API's format. */
function presentReceiptPage({ receipts, nextCursor }: ReceiptPage): WirePage {
  return { data: receipts.map(presentReceipt), nextCursor };
}

export interface ReceiptHandlerParts {
  database: Database;
  publicUrls: PublicUrls;
  authentication: Authentication;
}

/** Creates the handlers for the account's receipts. They only translate requests and answers. */
export function createReceiptHandlers({
  database,
  publicUrls,
  authentication,
}: ReceiptHandlerParts): HandlersOf<'getReceipt' | 'listReceipts'> {
  return {
    async getReceipt(request, reply) {
      const { ledger_id } = request.params;
      const found = await authentication.admit(request, reply, (credential) =>
        lookUpReceipt(database, credential, ledger_id),
      );
      const receipt = await readReceipt(database, publicUrls, found, ledger_id);
      return { status: 200, body: presentReceipt(receipt) };
    },
    async listReceipts(request, reply) {
      const search = searchOf(request.query);
      const found = await authentication.admit(request, reply, (credential) =>
        searchReceipts(database, publicUrls, credential, search),
      );
      const page = await listReceipts(database, publicUrls, found, search.limit);
      return { status: 200, body: presentReceiptPage(page) };
    },
  };
}

function searchOf(query: RequestOf<'listReceipts'>['query']): ReceiptSearch {
  const { cursor, operation, state, subject, api_key_id, from, to, limit } = query;
  return {
    cursor: cursor ?? null,
    operation: operation ?? null,
    state: state ?? null,
    text: subject?.trim() ?? null,
    keyId: api_key_id?.toLowerCase() ?? null,
    keyIds: [],
    from: from ?? null,
    to: to ?? null,
    limit,
  };
}
