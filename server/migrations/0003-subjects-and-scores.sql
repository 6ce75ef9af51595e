-- One row per thing that can be scored; its id is the canonical id everywhere.
CREATE TABLE subject (
  id uuid PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('agent', 'skill', 'creator', 'social_account', 'messaging_account')),
  name text NOT NULL,
  current_version timestamptz,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  UNIQUE (id, type)
);

-- Every name that leads to a subject, normalised; the resolver reads only this table.
-- Rank of kinds when a label leads to several: identity, then former, then name (see subjects/resolve-subject.ts).
CREATE TABLE subject_alias (
  label text NOT NULL CHECK (length(label) BETWEEN 1 AND 1024),
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('identity', 'former', 'name')),
  PRIMARY KEY (label, subject_type, subject_id),
  FOREIGN KEY (subject_id, subject_type) REFERENCES subject (id, type)
);
CREATE INDEX subject_alias_subject ON subject_alias (subject_id);

-- Confirmed scores, one row per version, never changed. The foreign key on (id, type) keeps one type's score from
-- ever being stored under another.
CREATE TABLE score (
  subject_id uuid NOT NULL,
  version timestamptz NOT NULL,
  subject_type text NOT NULL,
  trust double precision NOT NULL CHECK (trust BETWEEN 0 AND 100),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0 AND 100),
  lower_bound double precision NOT NULL CHECK (lower_bound BETWEEN 0 AND 100),
  tier text NOT NULL CHECK (tier IN ('high', 'medium', 'low')),
  status text NOT NULL CHECK (status IN ('complete', 'partial')),
  own_trust double precision NOT NULL CHECK (own_trust BETWEEN 0 AND 100),
  own_confidence double precision NOT NULL CHECK (own_confidence BETWEEN 0 AND 100),
  coverage double precision,
  source text NOT NULL,
  method_version text,
  freshness timestamptz NOT NULL,
  inputs_hash text,
  inputs jsonb NOT NULL DEFAULT '{}',
  contributions jsonb NOT NULL DEFAULT '[]',
  caps jsonb NOT NULL DEFAULT '[]',
  account_id uuid,
  ledger_id uuid,
  PRIMARY KEY (subject_id, version),
  FOREIGN KEY (subject_id, subject_type) REFERENCES subject (id, type),
  CHECK (trust > 0 OR confidence > 0),
  CHECK ((account_id IS NULL) = (ledger_id IS NULL))
);

-- down
DROP TABLE score;
DROP TABLE subject_alias;
DROP TABLE subject;
