import type { QueryOf } from '../contract/endpoint-types.ts';
import type { Receipt, ReceiptPage } from '../contract/models.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { type PagePromise, paginate } from '../transport/pagination.ts';

/** Filters and page of a list of receipts. Members that are `undefined` are omitted. */
export type ReceiptQuery = QueryOf<'get', '/api/receipts'>;

/** Methods that read the receipts of your account. Both methods need a key with any scope. */
export interface Receipts {
  /**
   * Resolves to one page, newest first. Iterating also reads all following pages.
   *
   * @example
   * for await (const receipt of client.receipts.list({ state: 'settled' })) console.log(receipt.ledger_id);
   */
  list(query?: ReceiptQuery, options?: CallOptions): PagePromise<ReceiptPage>;
  /**
   * Reads a receipt by `ledger_id`. Rejects with a `NotFoundError` if it isn't yours.
   *
   * @example
   * const { state, amount, unit } = await client.receipts.get('01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47');
   */
  get(ledgerId: string, options?: CallOptions): ApiPromise<Receipt>;
}

/** Creates the methods for a client. */
export const receiptsOf = (call: Call): Receipts => ({
  list: (query, options) =>
    paginate((next) => call('get', '/api/receipts', 'data', { query: { ...query, ...next } }, options)),
  get: (id, options) => call('get', '/api/receipts/{ledger_id}', 'ledger_id', { path: id }, options),
});
