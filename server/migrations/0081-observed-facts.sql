-- Stores facts that were observed about listings, each with its source, address, time and licence. What a list says about
-- a listing stays in the listing's columns.
CREATE TABLE observed_fact (
  subject_id uuid NOT NULL,
  fact text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  value jsonb NOT NULL,
  url text NOT NULL,
  license text,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT observed_fact_pkey PRIMARY KEY (subject_id, fact, source),
  CONSTRAINT observed_fact_subject_id_fkey FOREIGN KEY (subject_id) REFERENCES listing (subject_id) ON DELETE CASCADE
);
CREATE TRIGGER announce_observed AFTER INSERT OR UPDATE ON observed_fact
  FOR EACH ROW EXECUTE FUNCTION announce_listing();
CREATE TRIGGER announce_removed AFTER DELETE ON observed_fact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON observed_fact
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();

-- down
DROP TABLE observed_fact;
