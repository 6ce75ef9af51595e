import type { FastifyRequest } from 'fastify';
import type { LastUsed } from '../callers/last-used.ts';
import type { Credential } from '../callers/principal.ts';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { Naming } from '../subjects/naming.ts';
import { listReceipts, type ReceiptReader, readReceipt } from './read-receipts.ts';
import { presentReceipt, presentReceiptPage } from './receipt.presenter.ts';

const DEFAULT_LIMIT = 20;

export interface ReceiptHandlerParts {
  database: Database;
  naming: Naming;
  lastUsed: LastUsed;
}

/** The account's own receipts: translates the request, reads, translates the answer. */
export function createReceiptHandlers({
  database,
  naming,
  lastUsed,
}: ReceiptHandlerParts): Pick<RouteHandlers, 'getReceipt' | 'listReceipts'> {
  function readerOf(request: Pick<FastifyRequest, 'credential' | 'keyId'>): ReceiptReader {
    return {
      credential: request.credential as Credential,
      identified(keyId) {
        request.keyId = keyId;
        if (keyId !== null) lastUsed.note(keyId);
      },
    };
  }

  return {
    async getReceipt(request, reply) {
      const receipt = await readReceipt(database, naming, readerOf(request), request.params.ledger_id);
      return reply.code(200).send(presentReceipt(receipt) as never);
    },
    async listReceipts(request, reply) {
      const { cursor = null, operation = null, state = null, limit = DEFAULT_LIMIT } = request.query ?? {};
      const filters = { cursor, operation, state, limit };
      const page = await listReceipts(database, naming, readerOf(request), filters);
      return reply.code(200).send(presentReceiptPage(page) as never);
    },
  };
}
