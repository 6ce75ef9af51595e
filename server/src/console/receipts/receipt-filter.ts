import { RUN_STATES, type RunState } from '../../ledger/look-up.ts';
import { type Day, isDay } from '../../plans/days.ts';
import { OPERATIONS, type Operation } from '../../plans/plans.ts';
import { addressWith } from '../frame/filters.tsx';
import { isPlainText, lineOf } from '../frame/problems.ts';

/** What a list of receipts shows, as its address says it; null for all. */
export interface ReceiptFilter {
  /** A subject, a key or a receipt, as somebody calls it. */
  text: string | null;
  operation: Operation | null;
  state: RunState | null;
  keyId: string | null;
  day: Day | null;
}

export const LIST = '/console/receipts';
/** As long as a search of the directory. */
export const LONGEST_TEXT = 200;
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The filter of an address. A page shows what it can: what it can't read counts for nothing. */
export function readReceiptFilter(query: URLSearchParams): ReceiptFilter {
  const text = lineOf(query, 'q');
  const key = (query.get('key') ?? '').toLowerCase();
  const day = query.get('day') ?? '';
  return {
    text: text !== '' && text.length <= LONGEST_TEXT && isPlainText(text) ? text : null,
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    state: RUN_STATES.find((state) => state === query.get('state')) ?? null,
    keyId: UUID.test(key) ? key : null,
    day: isDay(day) ? day : null,
  };
}

/** The address of a page of the list. */
export function receiptsAddress(
  { text, operation, state, keyId, day }: ReceiptFilter,
  cursor: string | null = null,
): string {
  return addressWith(LIST, { q: text, operation, state, key: keyId, day, cursor });
}
