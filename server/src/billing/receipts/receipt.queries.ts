import { CALLER, type CallerRow } from '../../access/callers/caller.fragment.ts';
import type { ChargeSource } from '../../access/plans/charge-sources.ts';
import type { Operation } from '../../access/plans/plans.ts';
import { CONFIRMED } from '../../platform/database/confirmed-client.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { Credential } from '../../platform/http/credentials/principal.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { RunState } from '../ledger/billing-context.ts';
import type { FailCode } from '../ledger/fail.ts';
import type { BoughtScore } from './search-receipts.ts';
import { NEWEST_OF_EACH, parametersOf, type RunFilter } from './search-runs.queries.ts';

/** A stored run. Times are ISO 8601 UTC with six decimals. */
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
  /**
   * Key that made the call. For a call of a console session: the key to which the session attributes the call, or
   * null.
   */
  counted_key_id: string | null;
  score_version: string | null;
  /** SHA-256, in hexadecimal, of the signed score that the call returned; null if there is none. */
  signature_sha256: string | null;
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
    utc_text(r.score_version) AS score_version, encode(r.signature_sha256, 'hex') AS signature_sha256, r.fail_code, utc_text(r.created_at) AS created_at,
    utc_text(r.ended_at) AS ended_at, r.idempotency_key, b.period_kind, utc_text(b.valid_from) AS period_start,
    utc_text(b.valid_to) AS period_end`;

// Derives the account from the credential, in the statement that reads the account's runs. No request can name another
// account, and a key reads nothing once it is revoked. The statement waits for replication, so that a failover cannot
// lose a receipt that was shown.
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
    key: `${FRESH_PLAN} ${runSql(CALLER.key, SOME)}`,
    session: `${FRESH_PLAN} ${runSql(CALLER.session, SOME)}`,
  },
  these: { key: runSql(CALLER.key, THESE), session: runSql(CALLER.session, THESE) },
};

interface Found {
  /** Null for an unknown credential. */
  caller: CallerRow | null;
  runs: RunRow[];
}

/** Reads the caller, and the run of the caller's account with this id, if there is one. */
export async function findRun(
  connection: Connection,
  { kind, hash }: Credential,
  ledgerId: string,
): Promise<Found> {
  return foundIn(await connection.query<CallerRow & RunRow>(SQL.one[kind], [hash, ledgerId]));
}

/** Reads the caller and the matching runs of the caller's account, newest first. */
export async function findRuns(
  connection: Connection,
  { kind, hash }: Credential,
  question: RunFilter,
): Promise<Found> {
  const bind = [hash, ...parametersOf(question)];
  return foundIn(await connection.query<CallerRow & RunRow>(SQL.some[kind], bind));
}

/** Reads the caller and the runs with these ids of the caller's account, newest first. */
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

/** Loads the score that a receipt refers to; null if the score is not stored. */
export async function findBoughtScore(
  connection: Connection,
  subjectId: string,
  version: string,
): Promise<BoughtScore | null> {
  const [score] = await connection.query<BoughtScore>(
    `SELECT v.trust, v.confidence, v.lower_bound AS "lowerBound", v.tier, v.contributions, v.caps,
       v.inputs->'facts' AS facts, v.inputs->>'now' AS "factsAt", v.version = s.current_version AS "isCurrent"
     FROM score v JOIN subject s ON s.id = v.subject_id WHERE v.subject_id = $1 AND v.version = $2`,
    [subjectId, version],
  );
  return score ?? null;
}
