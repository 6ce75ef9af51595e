import { CHARGE_SOURCES } from '../../../access/plans/charge-sources.ts';
import { isDay } from '../../../access/plans/days.ts';
import { OPERATIONS } from '../../../access/plans/plans.ts';
import type { UsageFilter } from '../../../billing/usage/usage-by-day.ts';
import { hrefWith } from '../frame/filters.tsx';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses the filter of a query. Unlike the API, it ignores invalid values. */
export function parseUsageFilter(query: URLSearchParams): UsageFilter {
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
    source: CHARGE_SOURCES.some(({ name }) => name === source) ? source : null,
  };
}

/** Returns the path of a page of the usage, or of its CSV file. */
export function usageHref(
  path: string,
  { from, to, operation, keyId, source }: UsageFilter,
  cursor: string | null = null,
): string {
  return hrefWith(path, { from, to, operation, key: keyId, source, cursor });
}
