import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { addDays, type Day, isDay, requireDays } from '../plans/days.ts';
import type { UsageFilter, UsageRow } from './usage.ts';
import { compareUsage, type UsagePlace, usageStretches } from './usage-stretches.ts';

export interface UsageQuestion extends UsageFilter {
  /** As the page before gave it. */
  cursor: string | null;
  /** 1 to 100. */
  limit: number;
}

export interface UsagePage {
  /** Latest day first. */
  rows: UsageRow[];
  /** Null on the last page. A page that has one may hold fewer rows than asked for, even none. */
  nextCursor: string | null;
}

/** Stretches that one page looks at, about four months in all: a filter that fits nothing must not read everything. */
const MOST_STRETCHES = 8;

/**
 * One page of what an account's calls came to, per day, operation, key and balance. Days that are over never change, but
 * for calls that were under way. Throws invalid_request for days that are none and for a cursor of another list.
 */
export async function readUsage(
  connection: Connection,
  accountId: string,
  { cursor, limit, ...filter }: UsageQuestion,
): Promise<UsagePage> {
  requireDays(filter);
  const after = cursor === null ? null : readCursor(cursor);
  const place = after?.place ?? null;
  const rows: UsageRow[] = [];
  let stretches = 0;
  for await (const stretch of usageStretches(connection, accountId, filter, startOf(after))) {
    rows.push(...stretch.rows.filter((row) => place === null || compareUsage(row, place) > 0));
    if (rows.length > limit) {
      const page = rows.slice(0, limit);
      return { rows: page, nextCursor: cursorAfter(page.at(-1) as UsageRow) };
    }
    stretches += 1;
    if (stretches === MOST_STRETCHES) return { rows, nextCursor: writeCursor([stretch.from]) };
  }
  return { rows, nextCursor: null };
}

/** Where a page goes on: after a row, or with the days before a day. */
interface Position {
  day: Day;
  place: UsagePlace | null;
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
