import { isObject } from './metered-calls.ts';

/**
 * Names of the headers that an answer's body contradicts. Prism sends every header that the contract documents for a
 * status, with each of the examples of that status.
 */
export function contradictedHeaders(status: number, body: unknown): string[] {
  if (!isObject(body)) return [];
  // Waiting doesn't make an ambiguous name clear; only the other 409, a call in progress, ends by itself.
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
