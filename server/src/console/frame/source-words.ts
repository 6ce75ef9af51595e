import type { ChargeSource } from '../../ledger/balance.ts';

/** What people call the sources, in the order in which they pay. */
export const SOURCE_NAMES: Readonly<Record<ChargeSource, string>> = {
  free: 'Free calls',
  gifted: 'Gifted',
  included: 'Included',
  purchased: 'Purchased',
  overage: 'Overage',
};
