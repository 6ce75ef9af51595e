-- What an operator took out of the directory. Its rows leave the tables that everything reads, so that no list, total,
-- search, lineage or portfolio can show it by oversight, and are kept here whole until the operator brings it back. Its
-- subject stays, with its scores and receipts.
CREATE TABLE delisting (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject_id uuid NOT NULL REFERENCES subject,
  agent_id text COLLATE "C" NOT NULL,
  host text NOT NULL,
  repository text NOT NULL,
  host_repository_id text,
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 500),
  delisted_at timestamptz NOT NULL DEFAULT ledger_now(),
  relisted_at timestamptz,
  -- Rows by table as they were; null once they are back in their tables.
  kept jsonb,
  CHECK ((kept IS NULL) = (relisted_at IS NOT NULL))
);
CREATE UNIQUE INDEX delisting_subject ON delisting (subject_id) WHERE relisted_at IS NULL;
CREATE INDEX delisting_agent ON delisting (agent_id) WHERE relisted_at IS NULL;
CREATE INDEX delisting_repository ON delisting (lower(host), lower(repository)) WHERE relisted_at IS NULL;
CREATE INDEX delisting_host_repository_id ON delisting (host, host_repository_id) WHERE relisted_at IS NULL;

-- The names that led to a delisted listing and to what is inside it: who asks by one of them is told why it is gone.
CREATE TABLE delisted_name (
  label text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL,
  delisting_id bigint NOT NULL REFERENCES delisting,
  PRIMARY KEY (label, subject_type, subject_id),
  FOREIGN KEY (subject_id, subject_type) REFERENCES subject (id, type)
);
CREATE INDEX delisted_name_delisting ON delisted_name (delisting_id);
CREATE INDEX delisted_name_subject ON delisted_name (subject_id);

-- down
DROP TABLE delisted_name;
DROP TABLE delisting;
