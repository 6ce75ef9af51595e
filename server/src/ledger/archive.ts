import type { Connection } from '../database/connect.ts';
import {
  ARCHIVE_BUCKETS,
  ARCHIVE_CONTENTS,
  BUCKET_AFTER,
  CLOSED_BEFORE,
  CONTENT_AFTER,
  COUNT_BUCKETS,
  COUNT_CONTENTS,
  ROWS,
} from './archive.sql.ts';

/** What was rolled up, or would be. */
export interface ArchiveReport {
  /** The moment before which periods count as closed. */
  before: string;
  /** Buckets whose entries are one now. */
  buckets: number;
  /** Closed buckets left as they are: a run is open, or what they say is not what their entries and runs come to. */
  left: number;
  /** Contents of scores whose large parts lie together with others of their subject. */
  contents: number;
  /** False where it was stopped before the end: begun again, it goes on with what is left. */
  finished: boolean;
}

export interface ArchiveOptions {
  /** How long a period must have been over. Leases and clocks that differ are far below a day. */
  closedForDays: number;
  /** Changes nothing, and reports what would be done. */
  dryRun?: boolean;
  /** Aborted: the batch under way is finished, then it stops. */
  signal?: AbortSignal;
  /** Told after each batch how many rows it has looked at. */
  onRows?: (rows: number) => void;
  /** About how many rows a batch looks at. */
  rowsAtOnce?: number;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const ROWS_AT_ONCE = 500;

/** First balances, then what scores were made of; each place in a table is passed once. */
const STAGES = [
  { after: BUCKET_AFTER, least: '0', count: COUNT_BUCKETS, archive: ARCHIVE_BUCKETS, what: 'buckets' },
  {
    after: CONTENT_AFTER,
    least: LEAST_ID,
    count: COUNT_CONTENTS,
    archive: ARCHIVE_CONTENTS,
    what: 'contents',
  },
] as const;

/**
 * Rolls up the entries of closed buckets and what old scores were made of, batch by batch, each one statement: it may be
 * stopped or killed anywhere and begun again, and calls go on meanwhile.
 */
export async function archive(
  connection: Connection,
  { closedForDays, dryRun = false, signal, onRows, rowsAtOnce = ROWS_AT_ONCE }: ArchiveOptions,
): Promise<ArchiveReport> {
  const [closed] = await connection.query<{ moment: string }>(CLOSED_BEFORE, [closedForDays]);
  const before = closed?.moment ?? '';
  const report: ArchiveReport = { before, buckets: 0, left: 0, contents: 0, finished: false };
  for (const { after, least, count, archive: work, what } of STAGES) {
    let place: [string, string] = [LEAST_ID, least];
    for (;;) {
      if (signal?.aborted) return report;
      const [end] = await connection.query<Place>(after, [...place, rowsAtOnce]);
      if (!end) break;
      const stretch = [...place, end.first, end.second, before];
      const [batch] = await connection.query<Batch>(dryRun ? count : work, stretch);
      report[what] += batch?.archived ?? 0;
      report.left += batch?.closed === undefined ? 0 : batch.closed - batch.archived;
      onRows?.(end.rows);
      place = [end.first, end.second];
    }
  }
  return { ...report, finished: true };
}

interface Place {
  first: string;
  second: string;
  rows: number;
}

interface Batch {
  archived: number;
  closed?: number;
}

/** How many rows `onRows` will be told of. */
export async function countRows(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(ROWS);
  return row?.rows ?? 0;
}
