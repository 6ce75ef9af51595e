-- A balance: one source of credits (or free calls) of one account for one stretch of time.
CREATE TABLE credit_bucket (
  account_id uuid NOT NULL REFERENCES account,
  id bigint GENERATED ALWAYS AS IDENTITY,
  source text NOT NULL CHECK (source IN ('free', 'gifted', 'included', 'purchased', 'overage')),
  prio smallint NOT NULL GENERATED ALWAYS AS (CASE source WHEN 'free' THEN 1 WHEN 'gifted' THEN 2 WHEN 'included' THEN 3
    WHEN 'purchased' THEN 4 ELSE 5 END) STORED,
  unit text NOT NULL CHECK (unit IN ('call', 'credit')),
  period_kind text NOT NULL CHECK (period_kind IN ('month', 'grant')),
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL,
  total bigint NOT NULL CHECK (total >= 0),
  used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  held bigint NOT NULL DEFAULT 0 CHECK (held >= 0),
  PRIMARY KEY (account_id, id),
  CHECK (valid_from < valid_to),
  CHECK ((source = 'free') = (unit = 'call')),
  CHECK ((source IN ('free', 'included', 'overage')) = (period_kind = 'month')),
  CHECK (used + held <= total)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);  -- room for HOT updates of a hot row
CREATE UNIQUE INDEX credit_bucket_period ON credit_bucket (account_id, source, valid_from)
  WHERE source IN ('free', 'included', 'overage');
CREATE INDEX credit_bucket_order ON credit_bucket (account_id, prio, valid_to, id);

-- One attempt of one logical request: the receipt and the idempotency record at once. Never deleted.
CREATE TABLE usage_run (
  account_id uuid NOT NULL,
  ledger_id uuid NOT NULL,
  key_id uuid REFERENCES access_key,
  session_id uuid REFERENCES session,
  attributed_key_id uuid REFERENCES access_key,
  bucket_id bigint NOT NULL,
  idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  attempt integer NOT NULL CHECK (attempt > 0),
  operation text NOT NULL,
  subject_id uuid NOT NULL REFERENCES subject,
  source text NOT NULL,
  price_credits integer NOT NULL CHECK (price_credits > 0),
  amount integer NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('reserved', 'settled', 'failed')),
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  ended_at timestamptz,
  fail_code text,
  score_version timestamptz,
  PRIMARY KEY (account_id, ledger_id),
  FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id),
  CHECK ((key_id IS NULL) <> (session_id IS NULL)),
  CHECK (attributed_key_id IS NULL OR session_id IS NOT NULL),
  CHECK ((state = 'reserved') = (ended_at IS NULL)),
  CHECK ((state = 'failed') = (fail_code IS NOT NULL)),
  CHECK ((state = 'settled') = (score_version IS NOT NULL)),
  CONSTRAINT settled_before_lease CHECK (state <> 'settled' OR ended_at <= lease_until)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX usage_run_one_live ON usage_run (account_id, idempotency_key) WHERE state IN ('reserved', 'settled');
CREATE UNIQUE INDEX usage_run_attempt ON usage_run (account_id, idempotency_key, attempt);
CREATE INDEX usage_run_due ON usage_run (lease_until) WHERE state = 'reserved';
CREATE INDEX usage_run_open ON usage_run (account_id, bucket_id, lease_until) WHERE state = 'reserved';

-- Every change of a bucket, append-only: a bucket equals the sum of its entries in every snapshot.
CREATE TABLE ledger_entry (
  account_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  bucket_id bigint NOT NULL,
  ledger_id uuid,
  kind text NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'reverse', 'expire', 'adjust', 'carry')),
  d_total bigint NOT NULL DEFAULT 0,
  d_used bigint NOT NULL DEFAULT 0,
  d_held bigint NOT NULL DEFAULT 0,
  note text,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id),
  FOREIGN KEY (account_id, ledger_id) REFERENCES usage_run (account_id, ledger_id),
  CHECK ((ledger_id IS NOT NULL) = (kind IN ('hold', 'settle', 'reverse', 'expire')))
);
CREATE UNIQUE INDEX ledger_one_hold ON ledger_entry (account_id, ledger_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX ledger_one_end ON ledger_entry (account_id, ledger_id) WHERE kind IN ('settle', 'reverse', 'expire');
CREATE INDEX ledger_entry_bucket ON ledger_entry (account_id, bucket_id);

ALTER TABLE score ADD FOREIGN KEY (account_id, ledger_id) REFERENCES usage_run (account_id, ledger_id);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: receipts and ledger entries are kept as they are', TG_OP, TG_TABLE_NAME;
END $$;
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER usage_run_kept BEFORE DELETE OR TRUNCATE ON usage_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER score_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON score
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- down
DROP TABLE ledger_entry;
ALTER TABLE score DROP CONSTRAINT score_account_id_ledger_id_fkey;
DROP TABLE usage_run;
DROP TABLE credit_bucket;
DROP TRIGGER score_append_only ON score;
DROP FUNCTION refuse_change();
