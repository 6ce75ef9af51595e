import type { Database } from '../database/connect.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import type { Authentication } from '../http/credentials/authenticate-caller.ts';
import type { Naming } from '../subjects/naming.ts';
import { listReceipts, lookUpReceipt, readReceipt } from './read-receipts.ts';
import { presentReceipt, presentReceiptPage } from './receipt.presenter.ts';
import { type ReceiptSearch, searchReceipts } from './search-receipts.ts';

export interface ReceiptHandlerParts {
  database: Database;
  naming: Naming;
  authentication: Authentication;
}

/** The account's own receipts: translates the request, reads, translates the answer. */
export function createReceiptHandlers({
  database,
  naming,
  authentication,
}: ReceiptHandlerParts): HandlersOf<'getReceipt' | 'listReceipts'> {
  return {
    async getReceipt(request, reply) {
      const { ledger_id } = request.params;
      const found = await authentication.admit(request, reply, (credential) =>
        lookUpReceipt(database, credential, ledger_id),
      );
      const receipt = await readReceipt(database, naming, found, ledger_id);
      return { status: 200, body: presentReceipt(receipt) };
    },
    async listReceipts(request, reply) {
      const search = searchOf(request.query);
      const found = await authentication.admit(request, reply, (credential) =>
        searchReceipts(database, naming, credential, search),
      );
      const page = await listReceipts(database, naming, found, search.limit);
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
