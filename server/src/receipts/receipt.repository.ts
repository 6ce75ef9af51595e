import type { Connection } from '../database/connect.ts';
import { CALLER, type CallerRow } from '../keys/caller.sql.ts';
import type { Credential } from '../keys/principal.ts';
import type { ChargeSource } from '../ledger/balance.ts';
import type { FailCode } from '../ledger/fail.ts';
import type { RunState } from '../ledger/look-up.ts';
import type { Operation } from '../plans/plans.ts';
import type { SubjectType } from '../subjects/subject-type.ts';

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

/** Which of the caller's runs are asked for; null asks for any. */
export interface RunQuestion {
  ledgerId: string | null;
  /** Only runs older than this one. */
  before: string | null;
  operation: string | null;
  state: string | null;
  limit: number;
}

// The account comes from the credential, in the statement that reads its runs: nobody's runs can be asked for by naming
// their account, and a key that was revoked a moment ago reads nothing.
const runsSql = (caller: string) => `
SELECT k.*, run.* FROM (${caller}) k
LEFT JOIN LATERAL (
  SELECT r.ledger_id, r.state, r.attempt, r.operation, r.subject_id, s.type AS subject_type, r.price_credits, r.amount,
    b.unit, r.source, coalesce(r.key_id, r.attributed_key_id) AS counted_key_id,
    utc_text(r.score_version) AS score_version, r.fail_code, utc_text(r.created_at) AS created_at,
    utc_text(r.ended_at) AS ended_at, r.idempotency_key, b.period_kind, utc_text(b.valid_from) AS period_start,
    utc_text(b.valid_to) AS period_end
  FROM usage_run r JOIN subject s ON s.id = r.subject_id
  JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id
  WHERE r.account_id = k.account_id AND ($2::uuid IS NULL OR r.ledger_id = $2) AND ($3::uuid IS NULL OR r.ledger_id < $3)
    AND ($4::text IS NULL OR r.operation = $4) AND ($5::text IS NULL OR r.state = $5)
  ORDER BY r.ledger_id DESC LIMIT $6) run ON true
ORDER BY run.ledger_id DESC`;

const SQL = { key: runsSql(CALLER.key), session: runsSql(CALLER.session) };

/** The caller (null where nobody has the credential) and the runs of its account that are asked for, newest first. */
export async function findRuns(
  connection: Connection,
  { kind, hash }: Credential,
  { ledgerId, before, operation, state, limit }: RunQuestion,
): Promise<{ caller: CallerRow | null; runs: RunRow[] }> {
  const rows = await connection.query<CallerRow & RunRow>(SQL[kind], [
    hash,
    ledgerId,
    before,
    operation,
    state,
    limit,
  ]);
  return { caller: rows[0] ?? null, runs: rows.filter((row) => row.ledger_id !== null) };
}
