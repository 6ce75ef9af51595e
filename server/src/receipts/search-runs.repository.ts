import { CALLER, type CallerRow } from '../callers/caller.condition.ts';
import type { Credential } from '../callers/principal.ts';
import type { Connection } from '../database/connect.ts';
import { PLANNED_ANEW } from '../database/statement-names.ts';
import { NEWEST_OF_EACH, placesOf, type RunPlace, type RunQuestion } from './newest-runs.sql.ts';

// Among the newest of each operation and state, what a search means. Where one of these goes on behind the newest that were
// looked at, the search ends at its last one (the edge), since what is older was looked at in part. Names are read of each
// subject once, however many calls it had.
const WANTED = `
WITH near AS MATERIALIZED (SELECT e.ledger_id, e.created_at, e.subject_id, coalesce(e.key_id, e.attributed_key_id) AS key_id,
    row_number() OVER (PARTITION BY e.operation, e.state ORDER BY e.created_at DESC, e.ledger_id DESC) AS place
  FROM (${NEWEST_OF_EACH}) e),
edge AS MATERIALIZED (SELECT created_at, ledger_id FROM near WHERE place = $6
  ORDER BY created_at DESC, ledger_id DESC LIMIT 1),
looked_at AS MATERIALIZED (SELECT n.* FROM near n LEFT JOIN edge ON true
  WHERE (edge.ledger_id IS NULL OR (n.created_at, n.ledger_id) >= (edge.created_at, edge.ledger_id))
    AND ($8::uuid IS NULL OR n.key_id = $8)),
named AS MATERIALIZED (SELECT s.id FROM (SELECT DISTINCT subject_id FROM looked_at WHERE $9::text IS NOT NULL) l
  JOIN subject s ON s.id = l.subject_id
  LEFT JOIN listing own ON own.subject_id = s.id
  LEFT JOIN artifact a ON a.subject_id = s.id LEFT JOIN listing home ON home.subject_id = a.listing_id
  LEFT JOIN creator c ON c.subject_id = s.id
  LEFT JOIN platform_account p ON p.subject_id = s.id
  WHERE s.id = ANY ($10::uuid[]) OR strpos(lower(concat_ws(E'\\n', s.name, own.repository, home.repository,
    CASE WHEN a.name IS NOT NULL THEN home.repository || '#' || a.name END,
    '@' || c.handle, '@' || p.handle, p.platform || ':' || p.handle)), lower($9)) > 0)
SELECT (SELECT count(*)::int FROM near) AS looked_at,
  (SELECT utc_text(created_at) FROM edge) AS edge_at, (SELECT ledger_id FROM edge) AS edge_id,
  ARRAY(SELECT l.ledger_id FROM looked_at l
    WHERE $9 IS NULL OR l.key_id = ANY ($11::uuid[]) OR l.subject_id IN (SELECT id FROM named)
    ORDER BY l.created_at DESC, l.ledger_id DESC LIMIT $12) AS found`;
const wantedSql = (caller: string) =>
  `${PLANNED_ANEW} SELECT k.*, wanted.* FROM (${caller}) k LEFT JOIN LATERAL (${WANTED}) wanted ON true`;

const SQL = { key: wantedSql(CALLER.key), session: wantedSql(CALLER.session) };

/** What a search means, among the newest `limit` runs of each operation and state that its question lets through. */
export interface RunSearch extends RunQuestion {
  /** Only runs of this key. */
  keyId: string | null;
  /** Part of the name, repository or handle of what the run is about; null for whatever it is about. */
  text: string | null;
  /** Meant whatever they are called. */
  subjectIds: readonly string[];
  /** Runs of these keys are meant too. */
  keyIds: readonly string[];
  /** Of the answer. */
  most: number;
}

/** What one look at the newest runs found. */
export interface Searched {
  caller: CallerRow | null;
  ledgerIds: string[];
  /** How many runs were read for it. */
  lookedAt: number;
  /** The oldest run that was looked at, where older ones are left to be; null where these are all. */
  edge: RunPlace | null;
}

interface SearchedRow extends CallerRow {
  looked_at: number;
  edge_at: string | null;
  edge_id: string | null;
  found: string[];
}

/** Looks once at the newest runs of the caller's account: a bounded number, however many the account has. */
export async function searchRuns(
  connection: Connection,
  { kind, hash }: Credential,
  search: RunSearch,
): Promise<Searched> {
  const { keyId, text, subjectIds, keyIds, most } = search;
  const bind = [hash, ...placesOf(search), keyId, text, subjectIds, keyIds, most];
  const [row] = await connection.query<SearchedRow>(SQL[kind], bind);
  if (!row) return { caller: null, ledgerIds: [], lookedAt: 0, edge: null };
  const { edge_at, edge_id, looked_at, found } = row;
  const edge = edge_at === null || edge_id === null ? null : { created_at: edge_at, ledger_id: edge_id };
  return { caller: row, ledgerIds: found, lookedAt: looked_at, edge };
}
