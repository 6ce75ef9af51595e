import { CALLER, type CallerRow } from '../callers/caller.condition.ts';
import type { Credential } from '../callers/principal.ts';
import { CONFIRMED } from '../database/confirmed.condition.ts';
import type { Connection } from '../database/connect.ts';
import { PLANNED_ANEW } from '../database/statement-names.ts';
import type { ChargeSource } from '../ledger/balance.ts';
import type { FailCode } from '../ledger/fail.ts';
import type { RunState } from '../ledger/look-up.ts';
import type { Operation } from '../plans/plans.ts';
import type { SubjectType } from '../subjects/subject-type.ts';
import { NEWEST_OF_EACH, placesOf, type RunQuestion } from './newest-runs.sql.ts';

/** A run as it is stored. Moments are ISO 8601 UTC with six decimals. */
export interface RunRow {
  ledger_id: string;
  state: RunState;
  attempt: number;
  operation: Operation;
  subject_id: string;
  subject_type: SubjectType;
  price_credits: number;
  amount: number;
  unit: 'call' | 'credit';
  source: ChargeSource;
  /** The key that made the call, or that a session named for it. */
  counted_key_id: string | null;
  score_version: string | null;
  fail_code: FailCode | 'lease_expired' | null;
  created_at: string;
  ended_at: string | null;
  idempotency_key: string;
  period_kind: 'month' | 'grant';
  period_start: string;
  period_end: string;
}

const COLUMNS = `r.ledger_id, r.state, r.attempt, r.operation, r.subject_id, s.type AS subject_type, r.price_credits, r.amount,
    b.unit, r.source, coalesce(r.key_id, r.attributed_key_id) AS counted_key_id,
    utc_text(r.score_version) AS score_version, r.fail_code, utc_text(r.created_at) AS created_at,
    utc_text(r.ended_at) AS ended_at, r.idempotency_key, b.period_kind, utc_text(b.valid_from) AS period_start,
    utc_text(b.valid_to) AS period_end`;

// The account comes from the credential, in the statement that reads its runs: nobody's runs can be asked for by naming
// their account, and a key that was revoked a moment ago reads nothing. A receipt that is shown outlives a failover.
const runSql = (caller: string, runs: string) => `
SELECT k.*, run.* FROM (${caller}) k CROSS JOIN ${CONFIRMED}
LEFT JOIN LATERAL (SELECT ${COLUMNS}, r.created_at AS at FROM (${runs}) r JOIN subject s ON s.id = r.subject_id
  JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id) run ON true
ORDER BY run.at DESC, run.ledger_id DESC`;

const ONE = 'SELECT * FROM usage_run WHERE account_id = k.account_id AND ledger_id = $2';

const SOME = `${NEWEST_OF_EACH} ORDER BY each.created_at DESC, each.ledger_id DESC LIMIT $6`;
const THESE = 'SELECT * FROM usage_run WHERE account_id = k.account_id AND ledger_id = ANY ($2::uuid[])';

const SQL = {
  one: { key: runSql(CALLER.key, ONE), session: runSql(CALLER.session, ONE) },
  some: {
    key: `${PLANNED_ANEW} ${runSql(CALLER.key, SOME)}`,
    session: `${PLANNED_ANEW} ${runSql(CALLER.session, SOME)}`,
  },
  these: { key: runSql(CALLER.key, THESE), session: runSql(CALLER.session, THESE) },
};

interface Found {
  /** Null where nobody has the credential. */
  caller: CallerRow | null;
  runs: RunRow[];
}

/** The caller, and the run of its account with this id, if there is one. */
export async function findRun(
  connection: Connection,
  { kind, hash }: Credential,
  ledgerId: string,
): Promise<Found> {
  return foundIn(await connection.query<CallerRow & RunRow>(SQL.one[kind], [hash, ledgerId]));
}

/** The caller, and the runs of its account that are asked for, newest first. */
export async function findRuns(
  connection: Connection,
  { kind, hash }: Credential,
  question: RunQuestion,
): Promise<Found> {
  const bind = [hash, ...placesOf(question)];
  return foundIn(await connection.query<CallerRow & RunRow>(SQL.some[kind], bind));
}

/** The caller, and these runs of its account, newest first. */
export async function findRunsOf(
  connection: Connection,
  { kind, hash }: Credential,
  ledgerIds: readonly string[],
): Promise<Found> {
  return foundIn(await connection.query<CallerRow & RunRow>(SQL.these[kind], [hash, ledgerIds]));
}

function foundIn(rows: (CallerRow & RunRow)[]): Found {
  return { caller: rows[0] ?? null, runs: rows.filter((row) => row.ledger_id !== null) };
}
