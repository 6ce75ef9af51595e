import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { activityStableForMs } from './activity.ts';

/** Details of a list entry that its record does not contain. */
export interface EntryDetails {
  /** Lower bound of the confirmed score; null without one. */
  lowerBound: number | null;
  /** Time when the repository's metrics were read; null if the source gives none. */
  figuresAt: string | null;
  /** Database time of the read, for computing ages. */
  readAt: string;
}

/**
 * Loads details of the records, by subject. The lower bound belongs to the score version of the record, even if the
 * subject was scored again since. Limits the lifetime of a cached response to the time when the displayed age of a last
 * commit changes.
 */
export async function loadEntryDetails(
  connection: Connection,
  records: readonly AgentRecord[],
): Promise<Map<string, EntryDetails>> {
  if (records.length === 0) return new Map();
  const commits = records.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
  const rows = await queryTimeDependent<EntryDetails & { id: string }>(
    connection,
    `SELECT shown.id, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
       utc_text(ledger_now()) AS "readAt"
     FROM unnest($1::uuid[], $2::timestamptz[]) AS shown (id, version)
     LEFT JOIN listing l ON l.subject_id = shown.id
     LEFT JOIN score v ON v.subject_id = shown.id AND v.version = shown.version`,
    [records.map(({ subjectId }) => subjectId), records.map(({ scoreVersion }) => scoreVersion)],
    ([first]) => (first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY),
  );
  return new Map(rows.map(({ id, ...details }) => [id, details]));
}
