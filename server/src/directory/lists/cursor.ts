import { createHash } from 'node:crypto';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { chosenOf, type Filter, type FilterSelection, filterValuesOf } from './filters.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type Sort, sortEntry } from './sorts.ts';

/** The last entry of a page: its id, and its sort keys as `keysOf` of the list's sort order returned them. */
export interface Position {
  keys: readonly unknown[];
  agentId: string;
  /** Total of a search as counted for its first page, so that later pages need not count; null for a lower bound. */
  total?: number | null;
}

/** Search, filters and sort that a cursor is bound to. A list with other values rejects the cursor. */
export interface ListFilters extends FilterSelection {
  q: string | null;
  sort: Sort;
  /** Time in milliseconds since 1970 since which an entry or its score has changed; absent or null for any time. */
  updatedSince?: number | null;
}

const AGENT_ID = /^AGT-[0-9A-Z]{8}$/;

/** Encodes an opaque cursor for the page after this position: base64url of JSON, bound to filters and sort. */
export function writeCursor(filters: ListFilters, { keys, agentId, total }: Position): string {
  const counted = total === undefined ? [] : [total];
  const parts = [fingerprint(filters), ...counted, ...keys, agentId];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes a cursor. Throws invalid_request if it is malformed or belongs to another list. */
export function readCursor(filters: ListFilters, cursor: string): Position {
  const [owner, ...rest] = parse(cursor);
  const agentId = rest.pop();
  const { isKeys } = sortEntry(filters.sort);
  const isOwn = owner === fingerprint(filters) && typeof agentId === 'string' && AGENT_ID.test(agentId);
  if (isOwn && isKeys(rest)) return { keys: rest, agentId };
  const [total, ...keys] = rest;
  if (isOwn && isTotal(total) && isKeys(keys)) return { keys, agentId, total };
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

function isTotal(value: unknown): value is number | null {
  return value === null || (Number.isSafeInteger(value) && (value as number) >= 0);
}

/** Splits a list, or the rest of it after a position, into consecutive key ranges of the sort index. */
export function keyRangesOf(sort: Sort, after: Position | null): readonly KeyRange[] {
  const entry = sortEntry(sort);
  return after === null ? entry.whole : entry.after(after.keys, after.agentId);
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Filters that are always part of a cursor's fingerprint, even if they are not in use. */
const FIRST: readonly Filter[] = ['verified', 'tier', 'category'];
/**
 * Group of filters: if one of them is in use, all of them are part of the fingerprint. Any other filter is part of the
 * fingerprint only if it is in use.
 */
const SECOND: readonly Filter[] = ['type', 'kind', 'license', 'tag'];

/**
 * Hashes search, filters and sort. A filter of a later release changes the hash only while it is in use, so that older
 * cursors stay valid. The hash is not a secret: it protects clients from using a cursor for another list by mistake,
 * and does not prevent forged cursors.
 */
function fingerprint({ q, sort, updatedSince = null, ...filters }: ListFilters): string {
  const values = filterValuesOf(filters);
  const second = SECOND.map((name) => values[name]);
  const used = second.every((value) => value === null) ? [] : second;
  const others = (Object.keys(values) as Filter[]).filter((name) => ![...FIRST, ...SECOND].includes(name));
  const first = FIRST.map((name) => values[name]);
  const since = updatedSince === null ? [] : [['updatedSince', updatedSince]];
  const text = JSON.stringify([q, ...first, sort, ...used, ...chosenOf(others, values), ...since]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
