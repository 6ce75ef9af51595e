import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { Authentication } from '../http/authenticate-caller.ts';
import type { Naming } from '../subjects/naming.ts';
import { listReceipts, lookUpReceipt, lookUpReceipts, readReceipt } from './read-receipts.ts';
import { presentReceipt, presentReceiptPage } from './receipt.presenter.ts';

const DEFAULT_LIMIT = 20;

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
}: ReceiptHandlerParts): Pick<RouteHandlers, 'getReceipt' | 'listReceipts'> {
  return {
    async getReceipt(request, reply) {
      const { ledger_id } = request.params;
      const found = await authentication.admit(request, reply, (credential) =>
        lookUpReceipt(database, credential, ledger_id),
      );
      const receipt = await readReceipt(database, naming, found, ledger_id);
      return reply.code(200).send(presentReceipt(receipt) as never);
    },
    async listReceipts(request, reply) {
      const { cursor = null, operation = null, state = null, limit = DEFAULT_LIMIT } = request.query ?? {};
      const filters = { cursor, operation, state, limit };
      const found = await authentication.admit(request, reply, (credential) =>
        lookUpReceipts(database, credential, filters),
      );
      const page = await listReceipts(database, naming, found, limit);
      return reply.code(200).send(presentReceiptPage(page) as never);
    },
  };
}
