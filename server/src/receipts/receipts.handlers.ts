import type { Database } from '../database/connect.ts';
import type { HandlersOf } from '../http/contract/handlers-of.ts';
import type { Authentication } from '../http/credentials/authenticate-caller.ts';
import type { Naming } from '../subjects/naming.ts';
import { listReceipts, lookUpReceipt, lookUpReceipts, readReceipt } from './read-receipts.ts';
import { presentReceipt, presentReceiptPage } from './receipt.presenter.ts';

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
      const { cursor = null, operation = null, state = null, limit } = request.query;
      const filters = { cursor, operation, state, limit };
      const found = await authentication.admit(request, reply, (credential) =>
        lookUpReceipts(database, credential, filters),
      );
      const page = await listReceipts(database, naming, found, limit);
      return { status: 200, body: presentReceiptPage(page) };
    },
  };
}
