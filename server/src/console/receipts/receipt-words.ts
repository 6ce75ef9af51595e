import { toWords } from '../../pages/views/text.tsx';
import type { presentReceipt } from '../../receipts/receipt.presenter.ts';

/** A receipt under the wire's names. */
export type ShownReceipt = ReturnType<typeof presentReceipt>;

/** What a call cost: nothing where it came to nothing, a price still held while it is under way. */
export function costOf({ state, amount, unit }: ShownReceipt): string {
  if (state === 'failed') return '0';
  const cost = unit === 'call' ? `${amount} ${amount === 1 ? 'call' : 'calls'}` : String(amount);
  return state === 'reserved' ? `${cost} held` : cost;
}

/** How a call stands, as a person says it. */
export function stateOf({ state, failure }: ShownReceipt): { text: string; class: string } {
  if (state === 'settled') return { text: 'settled', class: '' };
  if (state === 'reserved') return { text: 'under way', class: 'medium' };
  return { text: `reversed: ${toWords(failure ?? 'failed')}`, class: 'low' };
}

/** What the states of a call are called where one is chosen. */
export const STATE_NAMES = { settled: 'settled', failed: 'reversed', reserved: 'under way' } as const;
