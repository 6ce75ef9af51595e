import { isObject } from './metered-calls.ts';

/**
 * Returns the names of headers that contradict a body. Prism sends all headers that the contract documents for a
 * status, whichever example it selects.
 */
export function conflictingHeaders(status: number, body: unknown): string[] {
  if (!isObject(body)) return [];
  // Retrying doesn't resolve an ambiguous name; only the other 409, a call in progress, has Retry-After.
  if (status === 409 && body.code === 'subject_ambiguous') return ['retry-after'];
  if (status !== 200) return [];
  return [
    ...(body.idempotent === true ? [] : ['idempotent-replayed']),
    ...(body.nextCursor === null && !hasPageBefore(body) ? ['link'] : []),
  ];
}

function hasPageBefore({ offset }: Readonly<Record<string, unknown>>): boolean {
  return typeof offset === 'number' && offset > 0;
}
