-- What a bucket has paid once a run is charged. Runs that are settled by one statement differ in it, and it can be told again
-- when an answer was lost. Null for runs that were settled before, or by a server of the release before this one.
ALTER TABLE ended_run ADD COLUMN used_after bigint;

CREATE OR REPLACE VIEW usage_run AS
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, 'reserved' AS state, lease_until, created_at, NULL::timestamptz AS ended_at,
  NULL AS fail_code, NULL::timestamptz AS score_version, NULL::bigint AS used_after
FROM open_run
UNION ALL
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, fail_code, score_version, used_after
FROM ended_run;

-- down
DROP VIEW usage_run;
CREATE VIEW usage_run AS
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, 'reserved' AS state, lease_until, created_at, NULL::timestamptz AS ended_at,
  NULL AS fail_code, NULL::timestamptz AS score_version
FROM open_run
UNION ALL
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, fail_code, score_version
FROM ended_run;
ALTER TABLE ended_run DROP COLUMN used_after;
