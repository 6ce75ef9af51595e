import { sourceNamed } from '../../../access/plans/charge-sources.ts';
import { type Day, isDay } from '../../../access/plans/days.ts';
import { OPERATIONS, type Operation } from '../../../access/plans/plans.ts';
import { RUN_STATES, type RunState } from '../../../billing/ledger/billing-context.ts';
import type { presentReceipt } from '../../../billing/receipts/receipts.handlers.ts';
import { toWords } from '../../components/formatting.tsx';
import { isPlainText, readLine } from '../frame/console-response.ts';
import { hrefWith } from '../frame/filters.tsx';

/** A receipt in the API's format. */
export type ShownReceipt = ReturnType<typeof presentReceipt>;

/** Formats the cost of a call: 0 if it failed, the held price while it runs. */
export function costText({ state, amount, unit }: ShownReceipt): string {
  if (state === 'failed') return '0';
  const cost = unit === 'call' ? `${amount} ${amount === 1 ? 'call' : 'calls'}` : String(amount);
  return state === 'reserved' ? `${cost} held` : cost;
}

/** Returns the source that paid for a call; a dash for a failed call. */
export function payerText({ state, charge_source }: ShownReceipt): string {
  return state === 'failed' ? '–' : sourceNamed(charge_source).label;
}

/** Describes the state of a call. */
export function stateText({ state, failure }: ShownReceipt): { text: string; class: string } {
  if (state === 'settled') return { text: 'Settled', class: '' };
  if (state === 'reserved') return { text: 'In progress', class: 'medium' };
  return { text: `Reversed: ${toWords(failure ?? 'failed')}`, class: 'low' };
}

/** Labels of the states in the filter. */
export const STATE_LABELS = { settled: 'Settled', failed: 'Reversed', reserved: 'In progress' } as const;

/** Filter of a list of receipts, parsed from the URL's query. A member that is null does not filter. */
export interface ReceiptFilter {
  /** Search text that names a subject, key or receipt. */
  text: string | null;
  operation: Operation | null;
  state: RunState | null;
  keyId: string | null;
  day: Day | null;
}

export const LIST = '/console/receipts';
/** Maximum length; the same limit as directory search. */
export const MAX_TEXT_LENGTH = 200;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the filter from the URL's query; ignores invalid values. */
export function parseReceiptFilter(query: URLSearchParams): ReceiptFilter {
  const text = readLine(query, 'q');
  const key = (query.get('key') ?? '').toLowerCase();
  const day = query.get('day') ?? '';
  return {
    text: text !== '' && text.length <= MAX_TEXT_LENGTH && isPlainText(text) ? text : null,
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    state: RUN_STATES.find((state) => state === query.get('state')) ?? null,
    keyId: UUID.test(key) ? key : null,
    day: isDay(day) ? day : null,
  };
}

/** Returns the path of a page of the list. */
export function receiptsHref(
  { text, operation, state, keyId, day }: ReceiptFilter,
  cursor: string | null = null,
): string {
  return hrefWith(LIST, { q: text, operation, state, key: keyId, day, cursor });
}
