import { createHash } from 'node:crypto';
import { DomainError } from '../../domain-error.ts';

/** The last entry of a page by what the list is ordered by; the next page starts right after it. */
export type Position =
  | { sort: 'score_desc' | 'score_asc'; trust: number | null; confidence: number | null; agentId: string }
  /** `name` in lower case as PostgreSQL gave it; null where it is too long to carry: then the entry's own name is read. */
  | { sort: 'name'; name: string | null; agentId: string };

/** What a cursor belongs to: changing any of it asks for another list. */
export interface ListFilters {
  q: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  sort: Position['sort'];
}

/** Longest name, as JSON, that a cursor carries: with it a cursor stays under the contract's 1,024 characters. */
const NAME_BYTES = 700;
const AGENT_ID = /^AGT-[0-9A-Z]{8}$/;

/** An opaque cursor for the page after this position of this list: base64url of JSON, bound to filters and sort. */
export function writeCursor(filters: ListFilters, position: Position): string {
  const { agentId } = position;
  const keys = position.sort === 'name' ? [shortName(position.name)] : [position.trust, position.confidence];
  return Buffer.from(JSON.stringify([fingerprint(filters), ...keys, agentId])).toString('base64url');
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

function shortName(name: string | null): string | null {
  return Buffer.byteLength(JSON.stringify(name)) <= NAME_BYTES ? name : null;
}

/** Not a secret: it keeps a client's mistake from skipping entries, not an attacker from asking for any page. */
function fingerprint(filters: ListFilters): string {
  const { q, verified, tier, category, sort } = filters;
  const text = JSON.stringify([q, verified, tier, category, sort]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
