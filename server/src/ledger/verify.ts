import type { Connection } from '../database/connect.ts';
import { ACCOUNT_AFTER, ACCOUNT_CHECKS, COUNTS, ROWS, SUBJECT_AFTER, SUBJECT_CHECKS } from './verify.sql.ts';

/** One broken promise of the ledger: which, and the bucket, run or key that breaks it. */
interface BadRow {
  problem: string;
  id: string;
}

interface Counts {
  buckets: number;
  runs: number;
  entries: number;
}

export interface LedgerReport extends Counts {
  bad: BadRow[];
  /** Where to go on, if it was stopped before the end. */
  next?: string;
}

export interface VerifyOptions {
  /** The `next` of an earlier report. */
  from?: string;
  /** Aborted: the stretch under way is finished, then it stops. */
  signal?: AbortSignal;
  /** Told after each stretch about how many rows it had. */
  onRows?: (rows: number) => void;
  /** About how many runs or scores a stretch has; all of one account or subject are in one. */
  rowsAtOnce?: number;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const GREATEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const ROWS_AT_ONCE = 100_000;
/** Beyond this many nobody reads them one by one, and they would no longer be held in bounded memory. */
const MOST_BAD = 1_000;

/** First the ledger by its accounts, then its scores by their subjects. */
const STAGES = [
  { name: 'account', after: ACCOUNT_AFTER, checks: ACCOUNT_CHECKS, counts: COUNTS },
  { name: 'subject', after: SUBJECT_AFTER, checks: SUBJECT_CHECKS, counts: null },
];

/**
 * Checks the ledger's invariants stretch by stretch, each in one snapshot, whatever calls are under way: its memory does not
 * grow with the ledger. `bad` is empty when all hold. Reads only.
 */
export async function verifyLedger(
  connection: Connection,
  options: VerifyOptions = {},
): Promise<LedgerReport> {
  const { signal, onRows, rowsAtOnce = ROWS_AT_ONCE } = options;
  const report: LedgerReport = { buckets: 0, runs: 0, entries: 0, bad: [] };
  let [name = 'account', id = LEAST_ID] = options.from?.split('/') ?? [];
  for (const stage of STAGES.slice(STAGES.findIndex((each) => each.name === name))) {
    if (stage.name !== name) [name, id] = [stage.name, LEAST_ID];
    while (id !== GREATEST_ID) {
      if (signal?.aborted) return { ...report, next: `${name}/${id}` };
      const [end] = await connection.query<{ id: string }>(stage.after, [id, rowsAtOnce]);
      const stretch = [id, end?.id ?? GREATEST_ID];
      const bad = await connection.query<BadRow>(`${stage.checks} LIMIT ${MOST_BAD + 1}`, stretch);
      report.bad.push(...bad);
      // Not all of this stretch are told: it is where to go on, once these are mended.
      if (report.bad.length > MOST_BAD) return { ...report, next: `${name}/${id}` };
      if (stage.counts) add(report, await connection.query<Counts>(stage.counts, stretch));
      onRows?.(rowsAtOnce);
      id = stretch[1] as string;
    }
  }
  return report;
}

/** About how many rows `onRows` will be told of. */
export async function countRows(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(ROWS);
  return row?.rows ?? 0;
}

function add(report: LedgerReport, [counts]: Counts[]): void {
  report.buckets += counts?.buckets ?? 0;
  report.runs += counts?.runs ?? 0;
  report.entries += counts?.entries ?? 0;
}
