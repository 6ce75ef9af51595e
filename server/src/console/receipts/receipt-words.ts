import type { presentReceipt } from '../../receipts/receipt.presenter.ts';
import { toWords } from '../../ui/text.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';

/** A receipt under the wire's names. */
export type ShownReceipt = ReturnType<typeof presentReceipt>;

/** What a call cost: nothing where it came to nothing, a price still held while it is under way. */
export function costOf({ state, amount, unit }: ShownReceipt): string {
  if (state === 'failed') return '0';
  const cost = unit === 'call' ? `${amount} ${amount === 1 ? 'call' : 'calls'}` : String(amount);
  return state === 'reserved' ? `${cost} held` : cost;
}

/** What paid for a call; a dash where nothing had to. */
export function payerOf({ state, charge_source }: ShownReceipt): string {
  return state === 'failed' ? '–' : SOURCE_NAMES[charge_source];
}

/** How a call stands, as a person says it. */
export function stateOf({ state, failure }: ShownReceipt): { text: string; class: string } {
  if (state === 'settled') return { text: 'Settled', class: '' };
  if (state === 'reserved') return { text: 'Under way', class: 'medium' };
  return { text: `Reversed: ${toWords(failure ?? 'failed')}`, class: 'low' };
}

/** What the states of a call are called where one is chosen. */
export const STATE_NAMES = { settled: 'Settled', failed: 'Reversed', reserved: 'Under way' } as const;
