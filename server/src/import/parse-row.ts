import type { ImportedRow } from '../registry/listings/listing-row.ts';
import { parseAccount } from './parse-account.ts';
import { parseArtifact } from './parse-artifact.ts';
import { parseCreator } from './parse-creator.ts';
import { parseListing } from './parse-listing.ts';
import { parseRelation } from './parse-relation.ts';
import { problemsOf } from './row-format.ts';
import { invalid, type ParsedRow, type RefusedRow, type RowKind } from './row-kinds.ts';
import { unstorable } from './text-rules.ts';

const PARSERS: Record<RowKind, (row: ImportedRow) => ParsedRow | RefusedRow> = {
  listing: parseListing,
  creator: parseCreator,
  account: parseAccount,
  artifact: parseArtifact,
  relation: parseRelation,
};

/** Understands one line: its kind is told by its fields, which must be as that kind's schema says. Never throws. */
export function parseRow(line: string): ParsedRow | RefusedRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: null, code: 'unreadable', reason: 'not valid JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: null, code: 'unreadable', reason: 'not a JSON object' };
  }
  const row = value as ImportedRow;
  const kind = kindOf(row);
  if (kind === null) return { kind, code: 'unknown_kind', reason: 'unknown kind of row' };
  const reason = unstorable(row) ?? problemsOf(kind, row);
  return reason === null ? PARSERS[kind](row) : invalid(kind, reason);
}

/** The row of a line that `parseRow` has accepted: it is not judged again. Null where the line is another one by now. */
export function parseAccepted(line: string): ParsedRow | null {
  try {
    const row = JSON.parse(line) as ImportedRow;
    const kind = kindOf(row);
    const parsed = kind === null ? null : PARSERS[kind](row);
    return parsed === null || 'reason' in parsed ? null : parsed;
  } catch {
    return null;
  }
}

/**
 * A relation has two ends, an account a handle on a platform, a creator one on a host, a listing and an artifact a
 * repository; only a listing has a category.
 */
function kindOf(row: ImportedRow): RowKind | null {
  const has = (field: string) => Object.hasOwn(row, field);
  if (has('from') && has('to')) return 'relation';
  if (has('repository')) {
    if (has('category') || has('repoUrl') || has('type')) return 'listing';
    return has('name') && has('kind') ? 'artifact' : null;
  }
  if (!has('handle')) return null;
  if (has('platform')) return 'account';
  return has('host') ? 'creator' : null;
}
