import { lookUpSubjects } from '../../catalog/subjects/look-up-subjects.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { SubjectRecord } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { getAgents } from '../agents/get-agent.ts';
import {
  type CategoryDistribution,
  CHANGE_KINDS,
  type ChangedAdvisory,
  type ChangeKind,
  type ChangeRow,
  clearFeed,
  deleteOldWatermarks,
  deleteUnreachable,
  type FeedPosition,
  loadAdvisories,
  loadDistributions,
  readChanges,
  readFeedState,
  writeWatermark,
} from './change.queries.ts';
import { readSnapshot, SNAPSHOT_START, type SnapshotPosition } from './snapshot.queries.ts';

export interface ChangesInput {
  cursor: string | null;
  /** Time from which to start, ISO 8601; null for the oldest kept change. Ignored with a cursor, and for a snapshot. */
  since: string | null;
  /** True to begin with the current state of all subjects, advisories and categories. Ignored with a cursor. */
  snapshot: boolean;
  /** Kinds separated by commas; null for all. */
  kinds: string | null;
  type: SubjectType | null;
  limit: number;
}

/**
 * Changes of one subject, advisory or category, merged into one entry with its current state: one of `record`,
 * `subject`, `advisory` and `standing`. A removed subject has none of them; a removed advisory or category only names
 * itself.
 */
export interface ChangeEntry {
  kinds: ChangeKind[];
  /** Time of the last change, ISO 8601 with microseconds. */
  at: string;
  subjectId: string | null;
  type: SubjectType | null;
  agentId: string | null;
  isRemoved: boolean;
  record: AgentRecord | null;
  subject: SubjectRecord | null;
  advisory: ChangedAdvisory | null;
  standing: CategoryDistribution | Pick<CategoryDistribution, 'type' | 'category'> | null;
}

export interface ChangePage {
  entries: ChangeEntry[];
  /** Cursor of the next page; null if no further changes were published. Never null on a page of a snapshot. */
  nextCursor: string | null;
  /** Cursor after this page, from which to continue at any later time. */
  cursor: string;
}

/**
 * Path of the first request of a mirror. The pages from there on contain the whole current state, and then the changes
 * since that request.
 */
export const SNAPSHOT_PATH = '/api/changes?snapshot=true&limit=100';

/** Maximum changes read per entry of a page, because several changes of one subject become one entry. */
const CHANGES_PER_ENTRY = 5;

/**
 * Returns the changes after a cursor, or since a time, ordered by transaction id. An entry has the subject's state at
 * the time of the read, so that a mirror need only keep the latest entry of each subject. A snapshot has an entry for
 * every subject, advisory and category; its last cursor leads to the changes since its beginning. Throws
 * invalid_request for a malformed cursor or time, cursor_expired if changes after the cursor or the time may be
 * missing, and unavailable until the first changes are published.
 */
export async function listChanges(
  connection: Connection,
  { cursor, since, snapshot, kinds: asked, type, limit }: ChangesInput,
  publicUrls: PublicUrls,
): Promise<ChangePage> {
  const after = cursor === null ? null : readCursor(cursor);
  const kinds = asked === null ? null : CHANGE_KINDS.filter((kind) => asked.split(',').includes(kind));
  const place = after === null && snapshot ? SNAPSHOT_START : (after?.place ?? null);
  const read = await readChanges(connection, {
    after,
    since: since === null || place !== null ? null : readTime(since),
    kinds,
    type,
    // A snapshot page needs only `isKept` and `end` of this result, not its changes.
    most: place === null ? limit * CHANGES_PER_ENTRY : 1,
  });
  if (read === null)
    throw new DomainError('unavailable', 'The change feed is about to begin. Retry in a few seconds.', {
      retryAfterSeconds: 2,
    });
  if (!read.isKept) throw expired(writeCursor(read.end));
  if (place !== null) {
    const { groups, next } = await readSnapshot(connection, { after: place, kinds, type, most: limit });
    const entries = await loadEntries(connection, groups, publicUrls);
    const position = writeCursor({ ...(after ?? read.end), place: next });
    // Omits subjects removed since the rows were read. The changes after the snapshot report these removals.
    return {
      entries: entries.filter(({ isRemoved }) => !isRemoved),
      cursor: position,
      nextCursor: position,
    };
  }
  const groups = new Map<string, ChangeRow[]>();
  let last: ChangeRow | null = null;
  for (const row of read.rows) {
    const key = row.subjectId ?? `${row.kind} ${row.item}`;
    const earlier = groups.get(key);
    if (!earlier && groups.size === limit) break;
    // A repeated change moves its subject to the end, so that entries are in the order of their last change.
    groups.delete(key);
    groups.set(key, [...(earlier ?? []), row]);
    last = row;
  }
  const isCut = last !== null && last !== read.rows.at(-1);
  const position = isCut && last ? { ...read.end, xid: last.xid, seq: last.seq } : read.last;
  const entries = await loadEntries(connection, [...groups.values()], publicUrls);
  const next = writeCursor(position);
  return { entries, cursor: next, nextCursor: isCut || position !== read.end ? next : null };
}

function expired(cursor: string): DomainError {
  return new DomainError(
    'cursor_expired',
    'Changes after this point are no longer complete: they are too old, or the database was restored. Read all pages of snapshot, then the changes after cursor.',
    { restart: { snapshot: SNAPSHOT_PATH, cursor } },
  );
}

/** Adds the current state to each group of changes. The state is read after the changes, so it includes all of them. */
async function loadEntries(
  connection: Connection,
  groups: readonly (readonly ChangeRow[])[],
  publicUrls: PublicUrls,
): Promise<ChangeEntry[]> {
  const rows = groups.map((group) => group.at(-1) as ChangeRow);
  const idsOf = (state: ChangeRow['state']) => rows.filter((row) => row.state === state && row.subjectId);
  const itemsOf = (kind: ChangeKind) =>
    rows.filter((row) => row.subjectId === null && row.kind === kind).map(({ item }) => item as string);
  const found = idsOf('found').map(({ subjectId, type }) => ({ text: subjectId as string, type }));
  const listed = idsOf('listed').map(({ subjectId }) => subjectId as string);
  const [records, lookedUp, advisories, standings] = await Promise.all([
    getAgents(connection, listed),
    found.length === 0 ? [] : lookUpSubjects(connection, found, publicUrls),
    itemsOf('advisory').length === 0 ? [] : loadAdvisories(connection, itemsOf('advisory')),
    itemsOf('standing').length === 0 ? [] : loadDistributions(connection),
  ]);
  const recordOf = new Map(records.map((record) => [record.subjectId, record]));
  // The id of a merged subject resolves to the subject into which it was merged, so the merged one is not in this map.
  const subjectOf = new Map(
    lookedUp.flatMap((each) => (each.status === 'found' ? [[each.record.id, each.record] as const] : [])),
  );
  return groups.map((group) => {
    const row = group.at(-1) as ChangeRow;
    const { at, subjectId, type, item, delistedId } = row;
    const record = (row.state === 'listed' && subjectId && recordOf.get(subjectId)) || null;
    const subject = (row.state === 'found' && subjectId && subjectOf.get(subjectId)) || null;
    const isItem = subjectId === null && item !== null;
    const advisory = isItem && row.kind === 'advisory' ? advisoryOf(item, advisories) : null;
    const standing = isItem && row.kind === 'standing' ? standingOf(item, standings) : null;
    const removedId = group.findLast(({ kind }) => kind === 'removal')?.item ?? delistedId;
    return {
      ...{ at, subjectId, type, record, subject, advisory, standing },
      kinds: CHANGE_KINDS.filter((kind) => group.some((each) => each.kind === kind)),
      agentId: record?.agentId ?? (subject ? null : removedId),
      isRemoved: !(record || subject || advisory?.modifiedAt || (standing && 'bounds' in standing)),
    };
  });
}

function advisoryOf(id: string, stored: readonly ChangedAdvisory[]): ChangedAdvisory {
  const missing = { id, modifiedAt: null, isWithdrawn: true, packages: [] };
  return stored.find((advisory) => advisory.id === id) ?? missing;
}

function standingOf(item: string, stored: readonly CategoryDistribution[]): ChangeEntry['standing'] {
  const [type, category = ''] = item.split('/') as ['agent' | 'skill', string?];
  return stored.find((each) => each.type === type && each.category === category) ?? { type, category };
}

/** Time before any change, used for every earlier `since`: PostgreSQL does not read the year 0. */
const EARLIEST_MS = Date.UTC(2000, 0);

function readTime(text: string): string {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(Math.max(time, EARLIEST_MS)).toISOString();
  throw new DomainError(
    'invalid_request',
    'since must be a time of the calendar, such as 2026-11-20T00:00:00Z.',
  );
}

/** Position in the changes. `place` is the position in the snapshot, while a client still reads it. */
interface CursorPosition extends FeedPosition {
  readonly place?: SnapshotPosition | null;
}

/** Encodes an opaque cursor: base64url of JSON. Filters may change from page to page, so it does not contain them. */
function writeCursor({ watermark, xid, seq, place }: CursorPosition): string {
  const parts = [watermark, xid, seq, ...(place ? [place.part, place.key] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Matches integers of up to 18 digits, all of which PostgreSQL's bigint and xid8 can hold. */
const NUMBER = /^(?:0|[1-9][0-9]{0,17})$/;

function readCursor(cursor: string): CursorPosition {
  const parts = partsOf(cursor).map((part) => (typeof part === 'string' ? part : ''));
  const [watermark, xid, seq, part, key = ''] = parts;
  const place = part === undefined ? null : snapshotPositionOf(part, key);
  if (watermark && xid && seq && UUID.test(watermark) && NUMBER.test(xid) && NUMBER.test(seq))
    if (place !== undefined) return { watermark, xid, seq, place };
  throw new DomainError(
    'invalid_request',
    'cursor does not belong to the change feed. Send the cursor or nextCursor of one of its pages.',
  );
}

/** Returns a position in a snapshot; undefined if the part is unknown or PostgreSQL would reject the key. */
function snapshotPositionOf(part: string, key: string): SnapshotPosition | undefined {
  if (part === 'subject') return UUID.test(key) ? { part, key } : undefined;
  return (part === 'advisory' || part === 'standing') && !key.includes('\0') ? { part, key } : undefined;
}

function partsOf(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Publishes changes by writing a watermark, if there are any to publish. These are the changes of all transactions with
 * an id below that of the oldest open transaction: all of them have ended. Before that, deletes the whole feed of a
 * database that was restored from another cluster. Returns the number of watermarks written.
 * `feed-under-load.long.test.ts` tests the limit at the oldest open transaction; `change-feed.long.test.ts` tests the
 * check of watermarks.
 */
export async function publishChanges(database: Database): Promise<number> {
  const { isOwn, isDue } = await readFeedState(database);
  if (isOwn === false) await inTransaction(database, clearFeed);
  else if (!isDue) return 0;
  await writeWatermark(database);
  return 1;
}

/** Publishes changes as a background job. Returns 0, because the job would otherwise log a line every second. */
export async function publishAsJob(database: Database): Promise<number> {
  await publishChanges(database);
  return 0;
}

/** Deletes changes that were published more than `days` ago. Returns their number. */
export async function deleteOldChanges(connection: Connection, days: number): Promise<number> {
  await deleteOldWatermarks(connection, days);
  let deleted = 0;
  for (;;) {
    const rows = await deleteUnreachable(connection);
    if (rows === 0) return deleted;
    deleted += rows;
  }
}
