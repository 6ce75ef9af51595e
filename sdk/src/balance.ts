import type { TrustDirectory } from './client.ts';
import { type Balances, balanceReadsOf } from './resources/balance.ts';

/**
 * Returns the methods that read balance and usage. It is a separate function so that other programs don't bundle it.
 * The methods need a key with the scope `balance:read`, and are retried like those of `receipts`.
 *
 * @example
 * import { balanceOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory();
 * const { plan, buckets } = await balanceOf(client).get();
 * console.log(plan, buckets.map(({ left, unit }) => `${left} ${unit}`));
 */
export const balanceOf = (client: TrustDirectory): Balances => balanceReadsOf(client.call);
