import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { activityStableForMs } from './activity.ts';

/** Details of list entries that their records do not contain. */
export interface EntryDetails {
  /** Lower bound of trust by subject. */
  bounds: Map<string, number>;
  /** Time of the repository metrics by subject; absent if the source gives none. */
  figuresAt: Map<string, string>;
  /** Database time of the read, for computing ages. Empty without records. */
  readAt: string;
}

interface EntryDetailsRow {
  id: string;
  lowerBound: number | null;
  figuresAt: string | null;
  readAt: string;
}

/**
 * Loads details of the records. The lower bound belongs to the score version of the record, even if the subject was
 * scored again since. Limits the lifetime of a cached response to the time when the displayed age of a last commit
 * changes.
 */
export async function loadEntryDetails(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<EntryDetails> {
  if (records.length === 0) return { bounds: new Map(), figuresAt: new Map(), readAt: '' };
  const commits = records.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
  const rows = await queryTimeDependent<EntryDetailsRow>(
    connection,
    `SELECT shown.id, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
       utc_text(ledger_now()) AS "readAt"
     FROM unnest($1::uuid[], $2::timestamptz[]) AS shown (id, version)
     LEFT JOIN listing l ON l.subject_id = shown.id
     LEFT JOIN score v ON v.subject_id = shown.id AND v.version = shown.version`,
    [records.map(({ subjectId }) => subjectId), records.map(({ scoreVersion }) => scoreVersion)],
    ([first]) => (first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY),
  );
  const bounds = rows.flatMap(({ id, lowerBound }) =>
    lowerBound === null ? [] : [[id, lowerBound] as const],
  );
  const figuresAt = rows.flatMap(({ id, figuresAt: at }) => (at === null ? [] : [[id, at] as const]));
  return { bounds: new Map(bounds), figuresAt: new Map(figuresAt), readAt: rows[0]?.readAt ?? '' };
}
