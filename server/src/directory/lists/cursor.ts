import { createHash } from 'node:crypto';
import { DomainError } from '../../platform/errors/domain-error.ts';

/** Sort keys of a page's last entry. The next page starts right after it. */
export type Position =
  | { sort: 'score_desc' | 'score_asc'; trust: number | null; confidence: number | null; agentId: string }
  /**
   * `name` in lower case, as PostgreSQL returned it. Null if too long for a cursor; the entry's name is then read
   * again.
   */
  | { sort: 'name'; name: string | null; agentId: string }
  | { sort: 'stars'; stars: number | null; agentId: string }
  /** Microsecond precision; null if no commit is known. */
  | { sort: 'updated' | 'newest'; at: string | null; agentId: string }
  /**
   * `place` is the position among the entries that are ranked individually; null for the entries after those, which
   * are ordered by popularity only.
   */
  | { sort: 'relevance'; place: number | null; popularity: number; agentId: string };

/** Filters and sort that a cursor is bound to. Changing any of them makes another list. */
export interface ListFilters {
  q: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  type?: 'agent' | 'skill' | null;
  kind?: string | null;
  license?: string | null;
  tag?: string | null;
  sort: Position['sort'];
}

/** Maximum bytes of a name as JSON, so that a cursor stays under the contract's 1,024 characters. */
const MAX_NAME_BYTES = 700;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const AGENT_ID = /^AGT-[0-9A-Z]{8}$/;

/** Encodes an opaque cursor for the page after this position: base64url of JSON, bound to filters and sort. */
export function writeCursor(filters: ListFilters, position: Position): string {
  const { agentId } = position;
  return Buffer.from(JSON.stringify([fingerprint(filters), ...keysOf(position), agentId])).toString(
    'base64url',
  );
}

function keysOf(position: Position): unknown[] {
  switch (position.sort) {
    case 'name':
      return [shortName(position.name)];
    case 'stars':
      return [position.stars];
    case 'updated':
    case 'newest':
      return [position.at];
    case 'relevance':
      return [position.place, position.popularity];
    default:
      return [position.trust, position.confidence];
  }
}

/** Decodes a cursor. Throws invalid_request if it belongs to another list. */
export function readCursor(filters: ListFilters, cursor: string): Position {
  const [owner, ...keys] = parse(cursor);
  const position = owner === fingerprint(filters) ? toPosition(filters.sort, keys) : null;
  if (position) return position;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

function toPosition(sort: Position['sort'], keys: unknown[]): Position | null {
  const agentId = keys.at(-1);
  if (typeof agentId !== 'string' || !AGENT_ID.test(agentId)) return null;
  if (sort === 'name') {
    const [name] = keys;
    return keys.length === 2 && (name === null || isStorable(name)) ? { sort, name, agentId } : null;
  }
  if (sort === 'stars') {
    const [stars] = keys;
    return keys.length === 2 && isCount(stars) ? { sort, stars, agentId } : null;
  }
  if (sort === 'updated' || sort === 'newest') {
    const [at] = keys;
    return keys.length === 2 && isTimestamp(at) ? { sort, at, agentId } : null;
  }
  if (sort === 'relevance') {
    const [place, popularity] = keys;
    const isPlace = place === null || isSmallInteger(place);
    return keys.length === 3 && isPlace && isSmallInteger(popularity)
      ? { sort, place, popularity, agentId }
      : null;
  }
  const [trust, confidence] = keys;
  return keys.length === 3 && isScore(trust) && isScore(confidence)
    ? { sort, trust, confidence, agentId }
    : null;
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Rejects U+0000, which PostgreSQL does not store. */
function isStorable(name: unknown): name is string {
  return typeof name === 'string' && !name.includes('\u0000');
}

function isScore(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isFinite(value));
}

/** Accepts small integers: positions, and popularity as the base-2 logarithm of the stars. */
function isSmallInteger(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 32_768;
}

function isCount(value: unknown): value is number | null {
  return value === null || Number.isSafeInteger(value);
}

/** Accepts the format that `writeCursor` got from PostgreSQL, which would reject other text. */
function isTimestamp(value: unknown): value is string | null {
  return (
    value === null || (typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)))
  );
}

function shortName(name: string | null): string | null {
  return Buffer.byteLength(JSON.stringify(name)) <= MAX_NAME_BYTES ? name : null;
}

/**
 * Hashes the filters. Not a secret: it protects clients from skipping entries by mistake, and does not stop anyone from
 * forging a cursor.
 */
function fingerprint(filters: ListFilters): string {
  const { q, verified, tier, category, sort, type = null, kind = null, license = null, tag = null } = filters;
  const later = [type, kind, license, tag];
  // Older cursors lack the filters added later, so leave these out if unused.
  const more = later.every((value) => value === null) ? [] : later;
  const text = JSON.stringify([q, verified, tier, category, sort, ...more]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
