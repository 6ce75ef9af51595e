import type { TrustDirectory } from './client.ts';
import { type Balances, balanceReadsOf } from './resources/balance.ts';

/**
 * Returns the methods that read balance and usage. It is a separate function, so that only programs that use it bundle
 * it. The methods need a key with the scope `balance:read`, and are retried like the reads of `client.agents`.
 *
 * @example
 * import { balanceOf, TrustDirectory } from '@trust-directory/sdk';
 *
 * const client = new TrustDirectory();
 * const { plan, buckets } = await balanceOf(client).get();
 * console.log(plan, buckets.map(({ left, unit }) => `${left} ${unit}`));
 */
export const balanceOf = (client: TrustDirectory): Balances => balanceReadsOf(client.call);
