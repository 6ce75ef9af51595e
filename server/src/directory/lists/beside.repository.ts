import type { Connection } from '../../database/connect.ts';
import { queryForNow } from '../../database/recorded-reads.ts';
import { activityHoldsForMs } from '../../ui/activity.ts';
import type { AgentRecord } from '../agent-record.ts';

/** What entries of a list are shown with beside their records. */
export interface Beside {
  /** By subject, the bound below the trust that its record shows. */
  bounds: Map<string, number>;
  /** By subject, when the figures of its repository were read; absent where its source gives no moment. */
  figuresAt: Map<string, string>;
  /** When it was: ages are told as of then. Empty where no record is shown. */
  readAt: string;
}

interface BesideRow {
  id: string;
  lowerBound: number | null;
  figuresAt: string | null;
  readAt: string;
}

/**
 * The bound below the trust of each record, of that version, whatever was scored since it was read; and the moment, after
 * which an answer is good for as long as none of their last commits is told in other words.
 */
export async function loadBeside(connection: Connection, records: readonly AgentRecord[]): Promise<Beside> {
  if (records.length === 0) return { bounds: new Map(), figuresAt: new Map(), readAt: '' };
  const commits = records.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
  const rows = await queryForNow<BesideRow>(
    connection,
    `SELECT shown.id, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
       utc_text(ledger_now()) AS "readAt"
     FROM unnest($1::uuid[], $2::timestamptz[]) AS shown (id, version)
     LEFT JOIN listing l ON l.subject_id = shown.id
     LEFT JOIN score v ON v.subject_id = shown.id AND v.version = shown.version`,
    [records.map(({ subjectId }) => subjectId), records.map(({ scoreVersion }) => scoreVersion)],
    ([first]) => (first ? activityHoldsForMs(commits, first.readAt) : Number.POSITIVE_INFINITY),
  );
  const bounds = rows.flatMap(({ id, lowerBound }) =>
    lowerBound === null ? [] : [[id, lowerBound] as const],
  );
  const figuresAt = rows.flatMap(({ id, figuresAt: at }) => (at === null ? [] : [[id, at] as const]));
  return { bounds: new Map(bounds), figuresAt: new Map(figuresAt), readAt: rows[0]?.readAt ?? '' };
}
