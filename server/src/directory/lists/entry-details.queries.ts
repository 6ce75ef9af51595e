import { FLAG_ORDER, FLAGS_OF_ASKED, type FlagRow } from '../../catalog/relations/listing-flags.fragment.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agents/agent-record.queries.ts';
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

/** A similar listing with everything that a list shows of it, except the paths of its links. */
interface SimilarRow extends AgentRecord, EntryDetails {
  flags: FlagRow[] | null;
}

/** Reads all that is shown of listings, in one statement, because a page waits for each round trip. */
const SIMILAR = `WITH RECURSIVE asked AS MATERIALIZED (
  SELECT a.n, l.subject_id AS id FROM unnest($1::text[]) WITH ORDINALITY AS a (agent_id, n) JOIN listing l ON l.agent_id = a.agent_id),
${FLAGS_OF_ASKED},
flags AS MATERIALIZED (SELECT n, jsonb_agg(to_jsonb(flag) - 'n' ORDER BY ${FLAG_ORDER}) AS flags FROM flag GROUP BY n)
SELECT ${AGENT_COLUMNS}, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
  utc_text(ledger_now()) AS "readAt", flags.flags
FROM asked JOIN (${AGENT_TABLES}) ON l.subject_id = asked.id
LEFT JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version
LEFT JOIN flags ON flags.n = asked.n ORDER BY asked.n`;

/**
 * Reads listings in this order. The response expires when the displayed age of one of the last commits changes.
 */
export function readSimilar(connection: Connection, agentIds: readonly string[]): Promise<SimilarRow[]> {
  return queryTimeDependent<SimilarRow>(connection, SIMILAR, [agentIds], (rows) => {
    const [first] = rows;
    const commits = rows.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
    return first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY;
  });
}
