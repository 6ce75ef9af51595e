import type { Receipt, ReceiptPage } from '../contract/models.ts';
import type { QueryOf } from '../contract/wire.ts';
import type { ApiPromise, Call } from '../transport/call.ts';
import { type PagePromise, paged } from '../transport/pages.ts';
import type { CallOptions } from '../transport/settings.ts';

/** Filters and page of a list of receipts. `undefined` counts as left out. */
export type ReceiptQuery = QueryOf<'get', '/api/receipts'>;

/** Receipts of your own account. Both methods need a key with any scope. */
export interface Receipts {
  /**
   * One page, newest first, when awaited. Iterated, every receipt from there on.
   *
   * @example
   * for await (const receipt of client.receipts.list({ state: 'settled' })) console.log(receipt.ledger_id);
   */
  list(query?: ReceiptQuery, options?: CallOptions): PagePromise<ReceiptPage>;
  /**
   * One receipt by its `ledger_id`. Rejects with a `NotFoundError` for one that isn't yours.
   *
   * @example
   * const { state, amount, unit } = await client.receipts.get('01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47');
   */
  get(ledgerId: string, options?: CallOptions): ApiPromise<Receipt>;
}

/** Binds them to a client. */
export const receiptsOf = (call: Call): Receipts => ({
  list: (query, options) =>
    paged((next) => call('get', '/api/receipts', 'data', { query: { ...query, ...next } }, options)),
  get: (id, options) => call('get', '/api/receipts/{ledger_id}', 'ledger_id', { path: id }, options),
});
