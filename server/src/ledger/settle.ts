import type { Connection } from '../database/connect.ts';
import type { AcceptedScore } from '../scoring/accept-score.ts';
import { BALANCE_COLUMNS, type Balance, type BalanceRow, balanceOf } from './balance.ts';
import type { Reservation } from './reserve.ts';

export interface Settled {
  balance: Balance;
  /** Database time of the confirmed score, six decimals. */
  scoreVersion: string;
}

// Lock order: bucket, run, subject, listing. The lease guard here may be evaluated before a lock wait; the CHECK
// settled_before_lease sees the final row and fences a late settle (23514).
const SQL = `
WITH b0 AS (SELECT id FROM credit_bucket WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
r0 AS (SELECT r.account_id, r.ledger_id, r.bucket_id, r.amount, r.subject_id FROM usage_run r JOIN b0 ON r.bucket_id = b0.id
  WHERE r.account_id = $1 AND r.ledger_id = $3 AND r.state = 'reserved' AND r.lease_until > ledger_now()
  FOR NO KEY UPDATE OF r),
s AS (UPDATE subject SET current_version = greatest(ledger_now(), current_version + interval '1 microsecond') FROM r0
  WHERE subject.id = r0.subject_id AND subject.type = $4
  RETURNING subject.id, subject.type, subject.current_version, r0.account_id, r0.ledger_id),
v AS (INSERT INTO score (subject_id, version, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
    own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps, account_id, ledger_id)
  SELECT s.id, s.current_version, s.type, n.trust, n.confidence, n.lower_bound, n.tier, n.status, n.own_trust,
    n.own_confidence, n.coverage, n.source, n.method_version, n.freshness, n.inputs_hash, n.inputs, n.contributions, n.caps,
    s.account_id, s.ledger_id
  FROM s, jsonb_to_record($5::jsonb) AS n(trust float8, confidence float8, lower_bound float8, tier text, status text,
    own_trust float8, own_confidence float8, coverage float8, source text, method_version text, freshness timestamptz,
    inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb)
  RETURNING subject_id, version, trust, confidence, tier),
l AS (UPDATE listing SET trust = v.trust, confidence = v.confidence, tier = v.tier, score_version = v.version FROM v
  WHERE listing.subject_id = v.subject_id),
r AS (UPDATE usage_run u SET state = 'settled', ended_at = ledger_now(), score_version = s.current_version FROM s
  WHERE u.account_id = $1 AND u.ledger_id = s.ledger_id RETURNING u.account_id, u.ledger_id, u.bucket_id, u.amount),
b AS (UPDATE credit_bucket b SET held = b.held - r.amount, used = b.used + r.amount FROM r
  WHERE b.account_id = $1 AND b.id = r.bucket_id RETURNING b.*),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_used, d_held)
  SELECT account_id, ledger_id, bucket_id, 'settle', amount, -amount FROM r)
SELECT ${BALANCE_COLUMNS}, utc_text(v.version) AS score_version FROM b, v`;

/**
 * S2: charges the held amount, stores the score and advances the subject's version, in one statement.
 * Null when the run is no longer open or its lease is over; 23514 on settled_before_lease means the same.
 */
export async function settle(
  connection: Connection,
  run: Reservation,
  subjectType: string,
  score: AcceptedScore,
): Promise<Settled | null> {
  const [row] = await connection.query<BalanceRow & { score_version: string }>(SQL, [
    run.accountId,
    run.bucketId,
    run.ledgerId,
    subjectType,
    JSON.stringify(score.record),
  ]);
  return row ? { balance: balanceOf(row), scoreVersion: row.score_version } : null;
}
