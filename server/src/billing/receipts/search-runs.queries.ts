import { CALLER, type CallerRow } from '../../access/callers/caller.fragment.ts';
import { OPERATIONS } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import { RUN_STATES } from '../ledger/billing-context.ts';
import { isOfKind } from '../ledger/ledger.sql.ts';

/** Filter for the caller's runs; null means any. */
export interface RunFilter {
  /** Selects runs older than this one. */
  before: RunPosition | null;
  /** Selects runs from this time on. */
  since: string | null;
  operation: string | null;
  state: string | null;
  limit: number;
}

/** Position of a run in the list: its creation time, and its id as a tie-breaker. */
export interface RunPosition {
  /** ISO 8601 UTC with six decimals. */
  created_at: string;
  ledger_id: string;
}

// Reads the newest runs of each operation and state and merges them. The index orders ended runs by operation, state
// and time, so that no runs of other operations and states are read, even if few runs match. Open runs are few and have
// another index.
const NEWEST = `SELECT * FROM usage_run u
    WHERE ($4::timestamptz IS NULL OR (u.created_at <= $4 AND (u.created_at, u.ledger_id) < ($4, $5::uuid)))
    AND ($7::timestamptz IS NULL OR u.created_at >= $7)`;

const IN_ORDER = 'ORDER BY u.created_at DESC, u.ledger_id DESC LIMIT $6';

/** Selects the newest runs, at most `$6`, of each operation and state of the account `k`, unordered. */
export const NEWEST_OF_EACH = `
SELECT each.* FROM unnest($2::text[]) o(operation), unnest($3::text[]) t(state), LATERAL (
  (${NEWEST} AND u.state <> 'reserved' AND ${isOfKind('u', 'k.account_id', 'o.operation', 't.state')} ${IN_ORDER})
  UNION ALL (${NEWEST} AND u.account_id = k.account_id AND u.operation = o.operation
    AND t.state = 'reserved' AND u.state = 'reserved' ${IN_ORDER})) each`;

/** Returns the parameters `$2` to `$7` of a statement that reads the newest runs of each operation and state. */
export function parametersOf({ before, since, operation, state, limit }: RunFilter): unknown[] {
  const operations = operation === null ? OPERATIONS : [operation];
  const states = state === null ? RUN_STATES : [state];
  return [operations, states, before?.created_at ?? null, before?.ledger_id ?? null, limit, since];
}

// Searches the newest runs of each group: each operation and state. If a group may have more runs than were read, the
// search ends at the oldest run that was read from this group (`edge`), because its older runs were not read. Reads the
// names of each subject once, not once per call.
const WANTED = `
WITH near AS MATERIALIZED (SELECT e.ledger_id, e.created_at, e.subject_id, coalesce(e.key_id, e.attributed_key_id) AS key_id,
    row_number() OVER (PARTITION BY e.operation, e.state ORDER BY e.created_at DESC, e.ledger_id DESC) AS place
  FROM (${NEWEST_OF_EACH}) e),
edge AS MATERIALIZED (SELECT created_at, ledger_id FROM near WHERE place = $6
  ORDER BY created_at DESC, ledger_id DESC LIMIT 1),
considered AS MATERIALIZED (SELECT n.* FROM near n LEFT JOIN edge ON true
  WHERE (edge.ledger_id IS NULL OR (n.created_at, n.ledger_id) >= (edge.created_at, edge.ledger_id))
    AND ($8::uuid IS NULL OR n.key_id = $8)),
named AS MATERIALIZED (SELECT s.id FROM (SELECT DISTINCT subject_id FROM considered WHERE $9::text IS NOT NULL) l
  JOIN subject s ON s.id = l.subject_id
  LEFT JOIN listing own ON own.subject_id = s.id
  LEFT JOIN artifact a ON a.subject_id = s.id LEFT JOIN listing home ON home.subject_id = a.listing_id
  LEFT JOIN creator c ON c.subject_id = s.id
  LEFT JOIN platform_account p ON p.subject_id = s.id
  WHERE s.id = ANY ($10::uuid[]) OR strpos(lower(concat_ws(E'\\n', s.name, own.repository, home.repository,
    CASE WHEN a.name IS NOT NULL THEN home.repository || '#' || a.name END,
    '@' || c.handle, '@' || p.handle, p.platform || ':' || p.handle)), lower($9)) > 0)
SELECT (SELECT count(*)::int FROM near) AS runs_read,
  (SELECT utc_text(created_at) FROM edge) AS edge_at, (SELECT ledger_id FROM edge) AS edge_id,
  ARRAY(SELECT l.ledger_id FROM considered l
    WHERE $9 IS NULL OR l.key_id = ANY ($11::uuid[]) OR l.subject_id IN (SELECT id FROM named)
    ORDER BY l.created_at DESC, l.ledger_id DESC LIMIT $12) AS found`;
const wantedSql = (caller: string) =>
  `${FRESH_PLAN} SELECT k.*, wanted.* FROM (${caller}) k LEFT JOIN LATERAL (${WANTED}) wanted ON true`;

const SQL = { key: wantedSql(CALLER.key), session: wantedSql(CALLER.session) };

/** Search among the newest `limit` runs of each operation and state. */
export interface RunSearch extends RunFilter {
  /** Selects runs of this key. */
  keyId: string | null;
  /** Part of the name, repository or handle of the run's subject; null matches any run. */
  text: string | null;
  /** Ids of subjects whose runs match in any case, even if the subject's name does not contain `text`. */
  subjectIds: readonly string[];
  /** Runs of these keys match too, even if `text` does not match them. */
  keyIds: readonly string[];
  /** Maximum number of results. */
  most: number;
}

/** Result of one search statement. */
export interface RunSearchResult {
  caller: CallerRow | null;
  ledgerIds: string[];
  /** Number of runs read. */
  runsRead: number;
  /** Run at which the search ended, if older runs may remain; otherwise null. */
  stoppedAt: RunPosition | null;
}

interface SearchedRow extends CallerRow {
  runs_read: number;
  edge_at: string | null;
  edge_id: string | null;
  found: string[];
}

/** Searches a bounded number of the newest runs of the caller's account. */
export async function searchRuns(
  connection: Connection,
  { kind, hash }: Credential,
  search: RunSearch,
): Promise<RunSearchResult> {
  const { keyId, text, subjectIds, keyIds, most } = search;
  const bind = [hash, ...parametersOf(search), keyId, text, subjectIds, keyIds, most];
  const [row] = await connection.query<SearchedRow>(SQL[kind], bind);
  if (!row) return { caller: null, ledgerIds: [], runsRead: 0, stoppedAt: null };
  const { edge_at, edge_id, runs_read, found } = row;
  const stoppedAt = edge_at === null || edge_id === null ? null : { created_at: edge_at, ledger_id: edge_id };
  return { caller: row, ledgerIds: found, runsRead: runs_read, stoppedAt };
}
