-- A call writes its run twice, each time as a row of its own: `open_run` while it is under way, `ended_run` for good. Nothing
-- is changed in place, so that what stays is written once, into full pages. What a hold and an end did to their bucket is said
-- by the run itself: `ledger_entry` reads it from there, besides what plans and operators gave.
-- Why one live run of a key still holds stands in src/ledger/README.md.

-- From here on the runs are the book. They must come to what its entries say.
DO $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT account_id, bucket_id, count(*) FILTER (WHERE kind = 'hold') AS holds,
        count(*) FILTER (WHERE kind <> 'hold') AS ends, sum(d_used) AS used, sum(d_held) AS held, sum(d_total) AS total
      FROM ledger_entry WHERE ledger_id IS NOT NULL GROUP BY 1, 2) e
    FULL JOIN (SELECT account_id, bucket_id, count(*) AS holds, count(*) FILTER (WHERE state <> 'reserved') AS ends,
        coalesce(sum(amount) FILTER (WHERE state = 'settled'), 0) AS used,
        coalesce(sum(amount) FILTER (WHERE state = 'reserved'), 0) AS held, 0 AS total
      FROM usage_run GROUP BY 1, 2) r USING (account_id, bucket_id)
    WHERE (e.holds, e.ends, e.used, e.held, e.total) IS DISTINCT FROM (r.holds, r.ends, r.used, r.held, r.total)) THEN
    RAISE EXCEPTION 'entries and runs of the ledger do not come to the same'
      USING HINT = 'Nothing was changed. The command "ledger verify" of the version before this one names what differs.';
  END IF;
END $$;

ALTER TABLE usage_run RENAME TO ended_run;
DROP TRIGGER usage_run_kept ON ended_run;
DROP TRIGGER usage_run_ended ON ended_run;
DROP TRIGGER usage_run_one_live ON ended_run;
DROP FUNCTION refuse_second_live_run();
DROP INDEX usage_run_due;
DROP INDEX usage_run_open;
-- By its number first, which comes in the order of time: each page of the index is filled before the next. All the same an
-- account's runs can lie in a partition of their own.
ALTER TABLE ended_run DROP CONSTRAINT usage_run_pkey, ADD PRIMARY KEY (ledger_id, account_id);
ALTER INDEX usage_run_attempt RENAME TO ended_run_attempt;
ALTER INDEX usage_run_listed RENAME TO ended_run_listed;

CREATE TABLE open_run (
  account_id uuid NOT NULL,
  ledger_id uuid NOT NULL,
  key_id uuid,
  session_id uuid,
  attributed_key_id uuid,
  bucket_id bigint NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint bytea NOT NULL,
  attempt integer NOT NULL,
  operation text NOT NULL,
  subject_id uuid NOT NULL,
  source text NOT NULL,
  price_credits integer NOT NULL,
  amount integer NOT NULL,
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (ledger_id, account_id),
  -- One constraint: the server reads the text of each anew in every statement that writes.
  CONSTRAINT open_run_check CHECK (length(idempotency_key) BETWEEN 1 AND 255 AND octet_length(fingerprint) = 32 AND attempt > 0
    AND price_credits > 0 AND amount > 0 AND (key_id IS NULL) <> (session_id IS NULL)
    AND (attributed_key_id IS NULL OR session_id IS NOT NULL))
) WITH (vacuum_truncate = false, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_insert_threshold = -1,
  -- It says something else every second, and plans are made anew after it.
  autovacuum_analyze_threshold = 2000000000);
-- Room for these is left for good: a plan that was made while the table had no pages would read all that it has by and by.
INSERT INTO open_run (account_id, ledger_id, key_id, bucket_id, idempotency_key, fingerprint, attempt, operation, subject_id, source,
  price_credits, amount, lease_until)
SELECT id, id, id, 0, id, sha256(''), 1, 'agent_score', id, 'gifted', 1, 1, ledger_now()
FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 1000)) room;
DELETE FROM open_run;
INSERT INTO open_run SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
  attempt, operation, subject_id, source, price_credits, amount, lease_until, created_at
FROM ended_run WHERE state = 'reserved';
DELETE FROM ended_run WHERE state = 'reserved';
-- Each begins with what one question alone names: with the account first, one would be taken for the other, and all open runs
-- of a busy account be read for each of its calls. So they can lie in partitions by account all the same.
CREATE UNIQUE INDEX open_run_one_of_key ON open_run (idempotency_key, account_id);
CREATE INDEX open_run_due ON open_run (lease_until);
CREATE INDEX open_run_of_bucket ON open_run (bucket_id, lease_until);

-- The rules are those that stood here, those on an open run apart, as one.
DO $$
DECLARE
  each text;
BEGIN
  FOR each IN SELECT conname FROM pg_constraint WHERE conrelid = 'ended_run'::regclass AND contype = 'c'
    AND conname <> 'settled_before_lease' LOOP
    EXECUTE format('ALTER TABLE ended_run DROP CONSTRAINT %I', each);
  END LOOP;
END $$;
ALTER TABLE ended_run
  ADD CONSTRAINT ended_run_check CHECK (state IN ('settled', 'failed') AND ended_at IS NOT NULL
    AND (state = 'failed') = (fail_code IS NOT NULL) AND (state = 'settled') = (score_version IS NOT NULL)
    AND length(idempotency_key) BETWEEN 1 AND 255 AND octet_length(fingerprint) = 32 AND attempt > 0
    AND price_credits > 0 AND amount > 0 AND (key_id IS NULL) <> (session_id IS NULL)
    AND (attributed_key_id IS NULL OR session_id IS NOT NULL)) NOT VALID,
  ALTER COLUMN created_at DROP DEFAULT;
-- Its rows are those that were checked before.
ALTER TABLE ended_run VALIDATE CONSTRAINT ended_run_check;
ALTER TABLE ended_run SET (fillfactor = 100);

-- Each attempt of a key follows a failed one, and the first follows none. Read after the rows are in, by a statement of its
-- own: it sees what others committed while this one waited, which the statement that opens the run does not.
CREATE FUNCTION refuse_second_live_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM opened o LEFT JOIN LATERAL (SELECT e.attempt, e.state FROM ended_run e
      WHERE e.account_id = o.account_id AND e.idempotency_key = o.idempotency_key ORDER BY e.attempt DESC LIMIT 1) e ON true
    WHERE o.attempt <> coalesce(e.attempt, 0) + 1 OR e.state <> 'failed') THEN
    RAISE unique_violation USING MESSAGE = 'the attempt before this one has not failed', TABLE = 'open_run',
      CONSTRAINT = 'open_run_one_live';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER open_run_one_live AFTER INSERT ON open_run REFERENCING NEW TABLE AS opened
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_second_live_run();
CREATE TRIGGER open_run_unchanged BEFORE UPDATE OR TRUNCATE ON open_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ended_run_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON ended_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What plans and operators gave is an entry of its own, as before.
CREATE TABLE bucket_entry (
  account_id uuid NOT NULL,
  bucket_id bigint NOT NULL,
  kind text NOT NULL,
  d_total bigint NOT NULL DEFAULT 0,
  d_used bigint NOT NULL DEFAULT 0,
  d_held bigint NOT NULL DEFAULT 0,
  note text,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  CHECK (kind IN ('grant', 'adjust', 'carry')),
  FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id)
);
INSERT INTO bucket_entry SELECT account_id, bucket_id, kind, d_total, d_used, d_held, note, at
FROM ledger_entry WHERE ledger_id IS NULL;
CREATE INDEX bucket_entry_total ON bucket_entry (account_id, bucket_id) WHERE d_total <> 0;
CREATE TRIGGER bucket_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bucket_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DROP TABLE ledger_entry;
DROP FUNCTION refuse_without_bucket();

-- All runs, open and ended, as one; an account's calls and their answers are read from here.
CREATE VIEW usage_run AS
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, 'reserved' AS state, lease_until, created_at, NULL::timestamptz AS ended_at,
  NULL AS fail_code, NULL::timestamptz AS score_version
FROM open_run
UNION ALL
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, state, lease_until, created_at, ended_at, fail_code, score_version
FROM ended_run;

-- Every change of a bucket: what was given, each run's hold, each ended run's end.
CREATE VIEW ledger_entry AS
SELECT account_id, bucket_id, NULL::uuid AS ledger_id, kind, d_total, d_used, d_held, note, at FROM bucket_entry
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM open_run
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM ended_run
UNION ALL
SELECT account_id, bucket_id, ledger_id,
  CASE WHEN state = 'settled' THEN 'settle' WHEN fail_code = 'lease_expired' THEN 'expire' ELSE 'reverse' END,
  0, CASE state WHEN 'settled' THEN amount ELSE 0 END, -amount, NULL, ended_at FROM ended_run;

-- down
ALTER VIEW ledger_entry RENAME TO whole_book;
CREATE TABLE ledger_entry (
  account_id uuid NOT NULL,
  bucket_id bigint NOT NULL,
  ledger_id uuid,
  kind text NOT NULL CHECK (kind IN ('grant', 'hold', 'settle', 'reverse', 'expire', 'adjust', 'carry')),
  d_total bigint NOT NULL DEFAULT 0,
  d_used bigint NOT NULL DEFAULT 0,
  d_held bigint NOT NULL DEFAULT 0,
  note text,
  at timestamptz NOT NULL DEFAULT ledger_now(),
  CHECK ((ledger_id IS NOT NULL) = (kind IN ('hold', 'settle', 'reverse', 'expire')))
);
INSERT INTO ledger_entry SELECT account_id, bucket_id, ledger_id, kind, d_total, d_used, d_held, note, at FROM whole_book;
DROP VIEW whole_book;
DROP VIEW usage_run;
DROP TABLE bucket_entry;
CREATE UNIQUE INDEX ledger_one_hold ON ledger_entry (account_id, ledger_id) WHERE kind = 'hold';
CREATE UNIQUE INDEX ledger_one_end ON ledger_entry (account_id, ledger_id) WHERE kind IN ('settle', 'reverse', 'expire');
CREATE INDEX ledger_entry_total ON ledger_entry (account_id, bucket_id) WHERE d_total <> 0;
CREATE FUNCTION refuse_without_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM credit_bucket b WHERE b.account_id = NEW.account_id AND b.id = NEW.bucket_id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the entry names no bucket of its account', TABLE = 'ledger_entry';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_of_bucket AFTER INSERT ON ledger_entry FOR EACH ROW WHEN (NEW.ledger_id IS NULL)
  EXECUTE FUNCTION refuse_without_bucket();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

DROP TRIGGER open_run_one_live ON open_run;
DROP FUNCTION refuse_second_live_run();
DROP TRIGGER ended_run_kept ON ended_run;
ALTER TABLE ended_run DROP CONSTRAINT ended_run_check;
ALTER TABLE ended_run RENAME TO usage_run;
ALTER TABLE usage_run DROP CONSTRAINT ended_run_pkey, ADD PRIMARY KEY (account_id, ledger_id);
ALTER INDEX ended_run_attempt RENAME TO usage_run_attempt;
ALTER INDEX ended_run_listed RENAME TO usage_run_listed;
ALTER TABLE usage_run ALTER COLUMN created_at SET DEFAULT ledger_now();
INSERT INTO usage_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
  attempt, operation, subject_id, source, price_credits, amount, state, lease_until, created_at)
SELECT account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint, attempt, operation,
  subject_id, source, price_credits, amount, 'reserved', lease_until, created_at FROM open_run;
DROP TABLE open_run;
ALTER TABLE usage_run SET (fillfactor = 90),
  ADD CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  ADD CHECK (octet_length(fingerprint) = 32),
  ADD CHECK (attempt > 0),
  ADD CHECK (price_credits > 0),
  ADD CHECK (amount > 0),
  ADD CHECK (state IN ('reserved', 'settled', 'failed')),
  ADD CHECK ((key_id IS NULL) <> (session_id IS NULL)),
  ADD CHECK (attributed_key_id IS NULL OR session_id IS NOT NULL),
  ADD CHECK ((state = 'reserved') = (ended_at IS NULL)),
  ADD CHECK ((state = 'failed') = (fail_code IS NOT NULL)),
  ADD CHECK ((state = 'settled') = (score_version IS NOT NULL));
CREATE INDEX usage_run_due ON usage_run (lease_until) WHERE state = 'reserved';
CREATE INDEX usage_run_open ON usage_run (account_id, bucket_id, lease_until) WHERE state = 'reserved';
CREATE FUNCTION refuse_second_live_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM usage_run r WHERE r.account_id = NEW.account_id AND r.idempotency_key = NEW.idempotency_key
    AND r.attempt = NEW.attempt - 1 AND r.state = 'failed') THEN
    RAISE unique_violation USING MESSAGE = 'the attempt before this one has not failed', TABLE = 'usage_run',
      CONSTRAINT = 'usage_run_one_live';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_run_one_live AFTER INSERT OR UPDATE OF account_id, idempotency_key, attempt ON usage_run
  FOR EACH ROW WHEN (NEW.attempt > 1) EXECUTE FUNCTION refuse_second_live_run();
CREATE TRIGGER usage_run_ended AFTER UPDATE OF state ON usage_run FOR EACH ROW
  WHEN (OLD.state <> 'reserved' AND OLD.state <> NEW.state) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER usage_run_kept BEFORE DELETE OR TRUNCATE ON usage_run
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
