import type { FlagRow } from '../../catalog/relations/listing-flags.fragment.ts';
import { FLAG_ORDER, FLAGS_OF_ASKED } from '../../catalog/relations/listing-flags.fragment.ts';
import {
  idsByTable,
  PATH_PARTS,
  type StoredPathParts,
} from '../../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { queryTimeDependent } from '../../platform/database/tracked-dependencies.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { activityStableForMs } from '../lists/activity.ts';
import type { LinkedSubject } from '../lists/link-agents.ts';
import { type EntryDetails, IS_OFFICIAL } from '../lists/list-agents.queries.ts';

/** A similar listing with all data that a list shows about it, except the paths of its links. */
export interface SimilarRow extends AgentRecord, EntryDetails {
  flags: FlagRow[] | null;
}

/**
 * Selects everything that pages show about listings `$1`. Uses one statement, because each round trip delays the page.
 * The first row also has the paths of pages: of these listings, of their creators, of the listings that flags name, and
 * of the subjects `$2` to `$4`.
 */
const SIMILAR = `WITH RECURSIVE asked AS MATERIALIZED (
  SELECT a.n, l.subject_id AS id FROM unnest($1::text[]) WITH ORDINALITY AS a (agent_id, n) JOIN listing l ON l.agent_id = a.agent_id),
${FLAGS_OF_ASKED},
flags AS MATERIALIZED (SELECT n, jsonb_agg(to_jsonb(flag) - 'n' ORDER BY ${FLAG_ORDER}) AS flags FROM flag GROUP BY n),
c AS MATERIALIZED (SELECT 0 AS n,
  $2::uuid[] || ARRAY(SELECT id FROM asked) || ARRAY(SELECT id FROM flag) AS repositories,
  $3::uuid[] || ARRAY(SELECT l.creator_id FROM asked JOIN listing l ON l.subject_id = asked.id) AS creators,
  $4::uuid[] AS accounts, $5::text[] AS hosts)
SELECT ${AGENT_COLUMNS}, v.lower_bound AS "lowerBound", utc_text(l.metrics_observed_at) AS "figuresAt",
  ${IS_OFFICIAL} AS "isOfficial", utc_text(ledger_now()) AS "readAt", flags.flags,
  CASE WHEN row_number() OVER (ORDER BY asked.n) = 1 THEN (SELECT jsonb_agg(part) FROM (${PATH_PARTS}) AS part) END AS parts
FROM asked JOIN (${AGENT_TABLES}) ON l.subject_id = asked.id
LEFT JOIN score v ON v.subject_id = k.subject_id AND v.version = k.score_version
LEFT JOIN flags ON flags.n = asked.n ORDER BY asked.n`;

/**
 * Reads listings in the order of their ids, and the fields from which the page paths of the listings and of the other
 * subjects are built. A cached response expires when the displayed age of one of the last commits changes.
 */
export async function readSimilar(
  connection: Connection,
  agentIds: readonly string[],
  linked: readonly LinkedSubject[],
  { hosts }: PublicUrls,
): Promise<{ rows: SimilarRow[]; parts: StoredPathParts[] }> {
  const { repositories, creators, accounts } = idsByTable(linked);
  const found = await queryTimeDependent<SimilarRow & { parts: StoredPathParts[] | null }>(
    connection,
    SIMILAR,
    [agentIds, repositories, creators, accounts, hosts],
    (rows) => {
      const [first] = rows;
      const commits = rows.flatMap(({ lastCommitAt }) => lastCommitAt ?? []);
      return first ? activityStableForMs(commits, first.readAt) : Number.POSITIVE_INFINITY;
    },
  );
  return { rows: found.map(({ parts: _parts, ...row }) => row), parts: found[0]?.parts ?? [] };
}
