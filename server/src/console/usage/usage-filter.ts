import { isDay } from '../../plans/days.ts';
import { OPERATIONS } from '../../plans/plans.ts';
import type { UsageFilter } from '../../usage/usage.ts';
import { addressWith } from '../frame/filters.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The filter that an address asks for. Unlike the API, a page shows what it can: what it can't read counts for nothing. */
export function readUsageFilter(query: URLSearchParams): UsageFilter {
  const day = (name: string) => {
    const text = query.get(name) ?? '';
    return isDay(text) ? text : null;
  };
  const [from, to] = [day('from'), day('to')];
  const isReversed = from !== null && to !== null && from > to;
  const key = (query.get('key') ?? '').toLowerCase();
  const source = query.get('source') ?? '';
  return {
    from: isReversed ? to : from,
    to: isReversed ? from : to,
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    keyId: UUID.test(key) ? key : null,
    source: Object.hasOwn(SOURCE_NAMES, source) ? source : null,
  };
}

/** The address of a page of the usage, or of the same as a file. */
export function usageAddress(
  path: string,
  { from, to, operation, keyId, source }: UsageFilter,
  cursor: string | null = null,
): string {
  return addressWith(path, { from, to, operation, key: keyId, source, cursor });
}
