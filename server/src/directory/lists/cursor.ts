import { createHash } from 'node:crypto';
import { DomainError } from '../../domain-error.ts';

/** The last entry of a page by what the list is ordered by; the next page starts right after it. */
export type Position =
  | { sort: 'score_desc' | 'score_asc'; trust: number | null; confidence: number | null; agentId: string }
  /** `name` in lower case as PostgreSQL gave it; null where it is too long to carry: then the entry's own name is read. */
  | { sort: 'name'; name: string | null; agentId: string }
  | { sort: 'stars'; stars: number | null; agentId: string }
  /** To the microsecond; null where no commit is known. */
  | { sort: 'updated' | 'newest'; at: string | null; agentId: string }
  /** `place` among those that are ranked one by one; null among those behind them, which go by popularity alone. */
  | { sort: 'relevance'; place: number | null; popularity: number; agentId: string };

/** What a cursor belongs to: changing any of it asks for another list. */
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

/** Longest name, as JSON, that a cursor carries: with it a cursor stays under the contract's 1,024 characters. */
const NAME_BYTES = 700;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const AGENT_ID = /^AGT-[0-9A-Z]{8}$/;

/** An opaque cursor for the page after this position of this list: base64url of JSON, bound to filters and sort. */
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

/** Reads a cursor back; throws invalid_request for one that this list did not give. */
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
    return keys.length === 2 && isMoment(at) ? { sort, at, agentId } : null;
  }
  if (sort === 'relevance') {
    const [place, popularity] = keys;
    const isPlace = place === null || isSmall(place);
    return keys.length === 3 && isPlace && isSmall(popularity) ? { sort, place, popularity, agentId } : null;
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

/** No name holds U+0000, and PostgreSQL takes no text that does. */
function isStorable(name: unknown): name is string {
  return typeof name === 'string' && !name.includes('\u0000');
}

function isScore(value: unknown): value is number | null {
  return value === null || (typeof value === 'number' && Number.isFinite(value));
}

/** Of a place, and of doublings of stars. */
function isSmall(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 32_768;
}

function isCount(value: unknown): value is number | null {
  return value === null || Number.isSafeInteger(value);
}

/** As `writeCursor` had it from PostgreSQL, which would refuse any other text. */
function isMoment(value: unknown): value is string | null {
  return (
    value === null || (typeof value === 'string' && MOMENT.test(value) && !Number.isNaN(Date.parse(value)))
  );
}

function shortName(name: string | null): string | null {
  return Buffer.byteLength(JSON.stringify(name)) <= NAME_BYTES ? name : null;
}

/** Not a secret: it keeps a client's mistake from skipping entries, not an attacker from asking for any page. */
function fingerprint(filters: ListFilters): string {
  const { q, verified, tier, category, sort, type = null, kind = null, license = null, tag = null } = filters;
  const later = [type, kind, license, tag];
  // What lists could not be filtered by once is no part of a cursor from then.
  const more = later.every((value) => value === null) ? [] : later;
  const text = JSON.stringify([q, verified, tier, category, sort, ...more]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
