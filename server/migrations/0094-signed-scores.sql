-- SHA-256 of the signed score that a call returned, so that whoever kept it can match it with the receipt. Null if scores were not
-- signed, and in runs of earlier releases.
ALTER TABLE ended_run ADD COLUMN signature_sha256 bytea;

CREATE OR REPLACE VIEW usage_run AS
  SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
    subject_id, source, price_credits, amount, 'reserved' AS state, lease_until, created_at, NULL::timestamptz AS ended_at,
    NULL::text AS fail_code, NULL::timestamptz AS score_version, NULL::bigint AS used_after, NULL::bytea AS signature_sha256
  FROM open_run
  UNION ALL
  SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
    subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, fail_code, score_version, used_after,
    signature_sha256
  FROM ended_run;

-- down
DROP VIEW usage_run;
ALTER TABLE ended_run DROP COLUMN signature_sha256;
CREATE VIEW usage_run AS
  SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
    subject_id, source, price_credits, amount, 'reserved' AS state, lease_until, created_at, NULL::timestamptz AS ended_at,
    NULL::text AS fail_code, NULL::timestamptz AS score_version, NULL::bigint AS used_after
  FROM open_run
  UNION ALL
  SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
    subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, fail_code, score_version, used_after
  FROM ended_run;
