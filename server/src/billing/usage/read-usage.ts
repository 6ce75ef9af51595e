import { addDays, type Day, isDay, requireDays } from '../../access/plans/days.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import {
  compareUsage,
  type UsageFilter,
  type UsagePosition,
  type UsageRow,
  usageRanges,
} from './usage-by-day.ts';

export interface UsagePageRequest extends UsageFilter {
  /** Cursor from the previous page. */
  cursor: string | null;
  /** Page size, 1 to 100. */
  limit: number;
}

export interface UsagePage {
  /** Rows of the page, latest day first. */
  rows: UsageRow[];
  /** Null on the last page. Any other page may contain fewer rows than requested, even none. */
  nextCursor: string | null;
}

/**
 * Maximum number of ranges of days that are read for one page, together about four months. Without this limit, a filter
 * that matches nothing would read all usage.
 */
const MAX_RANGES_PER_PAGE = 8;

/**
 * Reads one page of an account's usage per day, operation, key and bucket. The usage of past days changes only when
 * calls in progress end. Throws invalid_request for invalid days and for a cursor of another list.
 */
export async function readUsage(
  connection: Connection,
  accountId: string,
  { cursor, limit, ...filter }: UsagePageRequest,
): Promise<UsagePage> {
  requireDays(filter);
  const after = cursor === null ? null : readCursor(cursor);
  const place = after?.place ?? null;
  const rows: UsageRow[] = [];
  let ranges = 0;
  for await (const range of usageRanges(connection, accountId, filter, startOf(after))) {
    rows.push(...range.rows.filter((row) => place === null || compareUsage(row, place) > 0));
    if (rows.length > limit) {
      const page = rows.slice(0, limit);
      return { rows: page, nextCursor: cursorAfter(page.at(-1) as UsageRow) };
    }
    ranges += 1;
    if (ranges === MAX_RANGES_PER_PAGE) return { rows, nextCursor: writeCursor([range.from]) };
  }
  return { rows, nextCursor: null };
}

/** Position at which a page continues: after the row `place`, or, if that is null, with the days before `day`. */
interface Position {
  day: Day;
  place: UsagePosition | null;
}

function startOf(after: Position | null): Day | null {
  return after && (after.place ? addDays(after.day, 1) : after.day);
}

function cursorAfter({ day, operation, bucketId, keyId }: UsageRow): string {
  return writeCursor([day, operation, bucketId, keyId]);
}

function writeCursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const BEFORE_DAY = /^\["(2\d{3}-\d\d-\d\d)"\]$/;
const AFTER_ROW = /^\["(2\d{3}-\d\d-\d\d)","([a-z_]{1,40})",(\d{1,15}),(?:null|"([0-9a-f-]{36})")\]$/;

function readCursor(cursor: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, day = '', operation, bucketId, keyId = null] = AFTER_ROW.exec(text) ?? BEFORE_DAY.exec(text) ?? [];
  if (!isDay(day)) {
    throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
  }
  const place = operation === undefined ? null : { day, operation, bucketId: Number(bucketId), keyId };
  return { day, place };
}
