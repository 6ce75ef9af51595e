import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { type ChangeKind, type ChangeRow, subjectState } from './change.queries.ts';

/** Position in a snapshot: after the entry `key` of a part. The parts follow each other in the order of `PARTS`. */
export interface SnapshotPosition {
  readonly part: SnapshotPart;
  readonly key: string;
}

type SnapshotPart = 'subject' | 'advisory' | 'standing';

/** Start of every snapshot. */
export const SNAPSHOT_START: SnapshotPosition = {
  part: 'subject',
  key: '00000000-0000-0000-0000-000000000000',
};

interface SnapshotQuery {
  readonly after: SnapshotPosition;
  readonly kinds: readonly ChangeKind[] | null;
  readonly type: SubjectType | null;
  /** Maximum entries to return. */
  readonly most: number;
}

/**
 * Entries of a snapshot, and the position after them. The position is null if the snapshot ends after these entries.
 */
interface ReadSnapshot {
  /** Changes of each entry: one for each requested kind that the part has. */
  readonly groups: readonly (readonly ChangeRow[])[];
  readonly next: SnapshotPosition | null;
}

type SnapshotRow = Pick<ChangeRow, 'at' | 'subjectId' | 'type' | 'item' | 'state'> & { readonly key: string };

/** Maximum subjects that one request reads to find those that can be shown and have the requested type. */
const MAX_SCANNED = 10_000;

// The inner LIMIT bounds the scan. Its subquery is not materialized, so that the scan ends as soon as the page is full.
const SUBJECTS = `SELECT s.id AS key, s.id AS "subjectId", s.type, NULL AS item, utc_text(s.at) AS at, s.state
  FROM (SELECT m.*, ${subjectState('m.id')} AS state
    FROM (SELECT id, type, coalesce(current_version, created_at) AS at FROM subject WHERE id > $1::uuid
      ORDER BY id LIMIT ${MAX_SCANNED}) m WHERE $2::text IS NULL OR m.type = $2) s
  WHERE s.state <> 'gone' ORDER BY s.id LIMIT $3`;
const SCANNED_TO = `SELECT id AS key FROM subject WHERE id > $1::uuid ORDER BY id OFFSET ${MAX_SCANNED - 1} LIMIT 1`;

const ADVISORIES = `SELECT id AS key, NULL AS "subjectId", NULL AS type, id AS item, utc_text(modified_at) AS at, 'gone' AS state
  FROM advisory WHERE id > $1::text COLLATE "C" ORDER BY id LIMIT $2`;
const STANDINGS = `SELECT c.item AS key, NULL AS "subjectId", NULL AS type, c.item, utc_text(c.counted_at) AS at, 'gone' AS state
  FROM (SELECT (type || '/' || category) COLLATE "C" AS item, counted_at FROM category_standing) c
  WHERE c.item > $1::text ORDER BY c.item LIMIT $2`;

/** Kinds of changes that a snapshot reports for an entry of each part. */
const KINDS_OF: Readonly<Record<SnapshotPart, readonly ChangeKind[]>> = {
  subject: ['listing', 'score', 'verdict'],
  advisory: ['advisory'],
  standing: ['standing'],
};
const PARTS: readonly SnapshotPart[] = ['subject', 'advisory', 'standing'];

/**
 * Reads the next entries of a snapshot of the directory: all subjects by id, then advisories and standings. Each entry
 * becomes one change for each requested kind that its part has (`KINDS_OF`), whether or not the subject has, for
 * example, a score. A filter on the type excludes advisories and standings.
 */
export async function readSnapshot(
  connection: Connection,
  { after, kinds, type, most }: SnapshotQuery,
): Promise<ReadSnapshot> {
  const { part, key } = after;
  const shown = KINDS_OF[part].filter((kind) => kinds?.includes(kind) ?? true);
  // Only subjects have a type.
  const isAsked = shown.length > 0 && (type === null || part === 'subject');
  const found = isAsked ? await readPart(connection, part, key, type, most) : [];
  const groups = found.map(({ key: _key, ...row }) =>
    shown.map((kind): ChangeRow => ({ ...row, kind, xid: '0', seq: '0', delistedId: null })),
  );
  const last = found.length === most ? found.at(-1)?.key : await scannedTo(connection, after, isAsked);
  if (last !== undefined) return { groups, next: { part, key: last } };
  const following = PARTS[PARTS.indexOf(part) + 1];
  return { groups, next: following === undefined ? null : { part: following, key: '' } };
}

function readPart(
  connection: Connection,
  part: SnapshotPart,
  key: string,
  type: SubjectType | null,
  most: number,
): Promise<SnapshotRow[]> {
  if (part === 'subject') return connection.query<SnapshotRow>(SUBJECTS, [key, type, most]);
  return connection.query<SnapshotRow>(part === 'advisory' ? ADVISORIES : STANDINGS, [key, most]);
}

/**
 * Returns the key of the last row that was scanned for a page that is not full; undefined if the scan has reached the
 * end of the part.
 */
async function scannedTo(
  connection: Connection,
  { part, key }: SnapshotPosition,
  isAsked: boolean,
): Promise<string | undefined> {
  if (part !== 'subject' || !isAsked) return undefined;
  const [row] = await connection.query<{ key: string }>(SCANNED_TO, [key]);
  return row?.key;
}
