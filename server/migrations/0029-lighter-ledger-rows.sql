-- What hangs on the rows of a metered call, and what each piece costs, stands in src/ledger/README.md.

-- Each of these checks read, and locked, a row that the call's own statement had just read or written. `ledger verify`
-- reports a row that points nowhere, and what they point at cannot be taken away.
ALTER TABLE usage_run
  DROP CONSTRAINT usage_run_key_id_fkey,
  DROP CONSTRAINT usage_run_session_id_fkey,
  DROP CONSTRAINT usage_run_attributed_key_id_fkey,
  DROP CONSTRAINT usage_run_subject_id_fkey,
  DROP CONSTRAINT usage_run_account_id_bucket_id_fkey;
ALTER TABLE ledger_entry
  DROP CONSTRAINT ledger_entry_account_id_bucket_id_fkey,
  DROP CONSTRAINT ledger_entry_account_id_ledger_id_fkey;
-- What plans and operators give is rare, and its bucket is looked at still.
CREATE FUNCTION refuse_without_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM credit_bucket b WHERE b.account_id = NEW.account_id AND b.id = NEW.bucket_id) THEN
    RAISE foreign_key_violation USING MESSAGE = 'the entry names no bucket of its account', TABLE = 'ledger_entry';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_entry_of_bucket AFTER INSERT ON ledger_entry FOR EACH ROW WHEN (NEW.ledger_id IS NULL)
  EXECUTE FUNCTION refuse_without_bucket();
CREATE TRIGGER credit_bucket_kept BEFORE DELETE OR TRUNCATE ON credit_bucket
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER subject_kept BEFORE DELETE OR TRUNCATE ON subject
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_called() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM usage_run r WHERE r.account_id = OLD.account_id
    AND OLD.id IN (r.key_id, r.session_id, r.attributed_key_id)) THEN
    RAISE foreign_key_violation USING MESSAGE = format('calls were made with it: %s on %s is not allowed', TG_OP, TG_TABLE_NAME);
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER access_key_kept BEFORE DELETE ON access_key FOR EACH ROW EXECUTE FUNCTION refuse_called();
CREATE TRIGGER session_kept BEFORE DELETE ON session FOR EACH ROW EXECUTE FUNCTION refuse_called();
CREATE TRIGGER access_key_not_emptied BEFORE TRUNCATE ON access_key FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER session_not_emptied BEFORE TRUNCATE ON session FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- One live run of a key: attempts are numbered without a gap (`usage_run_attempt` lets each number stand once), a further
-- one only follows a failed one, and what has ended never begins again. So no second index says it, in which every call
-- stood twice; only a retry pays.
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
DROP INDEX usage_run_one_live;

-- Open runs are few, and usage_run_open finds them: here each call has one entry, not two.
DROP INDEX usage_run_listed;
CREATE INDEX usage_run_listed ON usage_run (account_id, operation, state, created_at) WHERE state <> 'reserved';

-- A run is never updated in place, since its state stands in the conditions of indexes: room for that was left empty.
ALTER TABLE usage_run SET (fillfactor = 90);

-- Nobody looks for an entry by its number, nor for all entries of a bucket: a run's are found by the two unique indexes,
-- what plans and operators gave by ledger_entry_total.
ALTER TABLE ledger_entry DROP COLUMN id;
DROP INDEX ledger_entry_bucket;

-- down
ALTER TABLE usage_run SET (fillfactor = 70);
CREATE INDEX ledger_entry_bucket ON ledger_entry (account_id, bucket_id);
ALTER TABLE ledger_entry ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY;
ALTER TABLE ledger_entry ADD PRIMARY KEY (account_id, id);
DROP INDEX usage_run_listed;
CREATE INDEX usage_run_listed ON usage_run (account_id, operation, state, created_at);
CREATE UNIQUE INDEX usage_run_one_live ON usage_run (account_id, idempotency_key) WHERE state IN ('reserved', 'settled');
DROP TRIGGER usage_run_ended ON usage_run;
DROP TRIGGER usage_run_one_live ON usage_run;
DROP FUNCTION refuse_second_live_run();
DROP TRIGGER session_not_emptied ON session;
DROP TRIGGER access_key_not_emptied ON access_key;
DROP TRIGGER session_kept ON session;
DROP TRIGGER access_key_kept ON access_key;
DROP FUNCTION refuse_called();
DROP TRIGGER subject_kept ON subject;
DROP TRIGGER credit_bucket_kept ON credit_bucket;
DROP TRIGGER ledger_entry_of_bucket ON ledger_entry;
DROP FUNCTION refuse_without_bucket();
ALTER TABLE ledger_entry
  ADD FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id),
  ADD FOREIGN KEY (account_id, ledger_id) REFERENCES usage_run (account_id, ledger_id);
ALTER TABLE usage_run
  ADD FOREIGN KEY (key_id) REFERENCES access_key,
  ADD FOREIGN KEY (session_id) REFERENCES session,
  ADD FOREIGN KEY (attributed_key_id) REFERENCES access_key,
  ADD FOREIGN KEY (subject_id) REFERENCES subject,
  ADD FOREIGN KEY (account_id, bucket_id) REFERENCES credit_bucket (account_id, id);
