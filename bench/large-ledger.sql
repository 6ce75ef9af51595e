-- Fills a migrated, empty database with a consistent ledger, without a server, to measure programs that read the whole ledger.
--   psql "$DATABASE_URL" -v runs=5000000 -f bench/large-ledger.sql
-- All runs are settled, one per second. They belong to 1,000 accounts, one of which has a fifth of them, and 5,000 subjects.
\set ON_ERROR_STOP on
SET session_replication_role = 'replica';
SET synchronous_commit = off;
CREATE FUNCTION pg_temp.id(kind int, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
  $$ SELECT (lpad(to_hex(hashint8(n * 8 + kind)::bigint & 4294967295), 8, '0') || lpad(to_hex(n * 8 + kind), 24, '0'))::uuid $$;
INSERT INTO account (id, handle, plan) SELECT pg_temp.id(0, n), 'large-' || n, 'free' FROM generate_series(0, 999) n;
INSERT INTO session (id, account_id, token_hash, opened_by, expires_at)
  SELECT id, id, sha256(id::text::bytea), 'operator', now() FROM account;
INSERT INTO access_key (id, account_id, session_id, key_hash, last_four, name, scopes)
  SELECT id, id, id, sha256(id::text::bytea), 'four', 'large', ARRAY['scores:read'] FROM account;
INSERT INTO subject (id, type, name) SELECT pg_temp.id(1, n), 'skill', 'large-' || n FROM generate_series(0, 4999) n;
INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
    own_confidence, source) SELECT id, id, 'skill', 61.5, 48.2, 41.3, 'medium', 'partial', 61.5, 48.2, 'large' FROM subject;
INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT id, 'gifted', 'credit', 'grant', now() - interval '400 days', now() + interval '400 days', 1000000000 FROM account;
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM credit_bucket;
INSERT INTO ended_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt, operation, subject_id,
    source, price_credits, amount, state, lease_until, created_at, ended_at, score_version)
  SELECT b.account_id, pg_temp.id(2, n), b.account_id, b.id, md5(n::text), sha256('large'), 1, 'skill_score', pg_temp.id(1, n % 5000),
    'gifted', 8, 8, 'settled', at + interval '1 minute', at, at, at
  FROM (SELECT n, now() - interval '365 days' + n * interval '1 second' AS at,
      pg_temp.id(0, CASE n % 5 WHEN 0 THEN 0 ELSE abs(hashint8(n)) % 1000 END) AS account_id FROM generate_series(1, :runs) n) r
  JOIN credit_bucket b USING (account_id);
INSERT INTO score_version (subject_id, version, content, ledger_id)
  SELECT subject_id, score_version, subject_id, ledger_id FROM ended_run;
UPDATE subject s SET current_version = v.newest
  FROM (SELECT subject_id, max(version) AS newest FROM score_version GROUP BY 1) v WHERE v.subject_id = s.id;
UPDATE credit_bucket b SET used = r.used
  FROM (SELECT account_id, bucket_id, sum(amount) AS used FROM ended_run GROUP BY 1, 2) r
  WHERE r.account_id = b.account_id AND r.bucket_id = b.id;
RESET session_replication_role;
VACUUM (ANALYZE) ended_run, score_version, credit_bucket, subject;
