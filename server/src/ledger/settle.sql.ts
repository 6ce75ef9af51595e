import { batchRows } from '../database/batch.condition.ts';
import { insertEvidence, SCORE_COLUMNS } from '../scoring/score-evidence.condition.ts';
import { BALANCE_COLUMNS } from './balance.ts';
import { LOCKED_BUCKETS } from './locked-buckets.sql.ts';
import { RUN_COLUMNS, runColumnsOf, runIs } from './run-columns.sql.ts';

/**
 * Lock order: buckets in the order of the house, runs, subjects by their ids, their rows in the ranking. The lease guard here may be
 * evaluated before a lock wait; the CHECK settled_before_lease sees the final row and fences a late settle (23514). Several
 * runs of one subject get a version each, a microsecond apart; the last is the subject's. What is taken from the open runs is
 * among the ended ones or nothing is done: one whose subject were not found would have no version, which a CHECK refuses.
 */
export const SETTLE = `
WITH c AS MATERIALIZED (${batchRows(`account_id uuid, bucket_id bigint, ledger_id uuid, ${SCORE_COLUMNS}`)}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
o AS (DELETE FROM open_run r USING b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
    JOIN subject ON subject.type = c.subject_type
  WHERE ${runIs('c')} AND subject.id = r.subject_id AND r.lease_until > ledger_now()
  RETURNING c.n, c.subject_type, ${runColumnsOf('r')}),
s AS (UPDATE subject SET current_version = greatest(ledger_now(), current_version + interval '1 microsecond')
    + (scored.runs - 1) * interval '1 microsecond'
  FROM (SELECT subject_id, subject_type, count(*) AS runs FROM o GROUP BY subject_id, subject_type
    ORDER BY subject_id, subject_type) scored
  WHERE subject.id = scored.subject_id AND subject.type = scored.subject_type
  RETURNING subject.id, subject.current_version, scored.runs),
m AS MATERIALIZED (SELECT o.*, s.current_version
    - (s.runs - row_number() OVER (PARTITION BY s.id ORDER BY o.n)) * interval '1 microsecond' AS version
  FROM o LEFT JOIN s ON s.id = o.subject_id),
scored AS MATERIALIZED (SELECT m.subject_id, m.version, c.* FROM m JOIN c ON c.n = m.n),
x AS (${insertEvidence('scored')}),
v AS (INSERT INTO score_version (subject_id, version, content, ledger_id, fresh_at)
  SELECT subject_id, version, content, ledger_id, fresh_at FROM scored),
k AS (UPDATE listing_rank SET trust = last.trust, confidence = last.confidence, tier = last.tier, score_version = last.version,
    verdict = last.verdict, reasons = last.reasons
  FROM (SELECT DISTINCT ON (subject_id) * FROM scored ORDER BY subject_id, version DESC) last
  WHERE listing_rank.subject_id = last.subject_id),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version)
  SELECT ${RUN_COLUMNS}, 'settled', ledger_now(), version FROM m),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount, used = b.used + ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id RETURNING b.*)
SELECT m.n, ${BALANCE_COLUMNS}, utc_text(m.version) AS score_version
FROM m JOIN b ON b.account_id = m.account_id AND b.id = m.bucket_id`;
