-- What a score is made of says the same from call to call, but for the moment it was asked in. It is kept once for each
-- content, and a version of a subject's score is a narrow row that names it. `content` is a hash of everything but that
-- moment, of its subject alone: only the call that holds the subject's row writes here, so nobody waits for anybody.
ALTER TABLE score RENAME TO score_whole;

CREATE TABLE score_evidence (
  subject_id uuid NOT NULL,
  content uuid NOT NULL,
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
  -- Null where it is the moment of each version.
  freshness timestamptz,
  inputs_hash text,
  -- With the moment in which this content was first made.
  inputs jsonb NOT NULL DEFAULT '{}',
  contributions jsonb NOT NULL DEFAULT '[]',
  caps jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (subject_id, content),
  -- Keeps one type's score from ever being stored under another.
  FOREIGN KEY (subject_id, subject_type) REFERENCES subject (id, type),
  CHECK (trust > 0 OR confidence > 0)
);

-- Foreign keys would lock a row of evidence and a run with every call; `ledger verify` checks what they would.
CREATE TABLE score_version (
  subject_id uuid NOT NULL,
  version timestamptz NOT NULL,
  content uuid NOT NULL,
  ledger_id uuid,
  fresh_at timestamptz,
  PRIMARY KEY (subject_id, version)
);

-- What stands already keeps a content of its own for each version: its hash tells of its moment, too.
INSERT INTO score_evidence (subject_id, content, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
  own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps)
SELECT subject_id, encode(substring(uuid_send(subject_id) || int8send((extract(epoch FROM version) * 1000000)::bigint) FROM 9), 'hex')::uuid,
  subject_type, trust, confidence, lower_bound, tier, status, own_trust, own_confidence, coverage, source, method_version,
  freshness, inputs_hash, inputs, contributions, caps
FROM score_whole;
INSERT INTO score_version (subject_id, version, content, ledger_id)
SELECT subject_id, version, encode(substring(uuid_send(subject_id) || int8send((extract(epoch FROM version) * 1000000)::bigint) FROM 9), 'hex')::uuid,
  ledger_id FROM score_whole;
DROP TABLE score_whole;

CREATE TRIGGER score_evidence_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON score_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER score_version_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON score_version
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A confirmed score as everybody reads it: one version with its evidence.
CREATE VIEW score AS
SELECT v.subject_id, v.version, e.subject_type, e.trust, e.confidence, e.lower_bound, e.tier, e.status, e.own_trust,
  e.own_confidence, e.coverage, e.source, e.method_version, coalesce(v.fresh_at, e.freshness) AS freshness, e.inputs_hash,
  e.inputs, e.contributions, e.caps, v.ledger_id
FROM score_version v JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content;

-- down
DROP VIEW score;
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
INSERT INTO score (subject_id, version, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
  own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps, account_id, ledger_id)
SELECT v.subject_id, v.version, e.subject_type, e.trust, e.confidence, e.lower_bound, e.tier, e.status, e.own_trust,
  e.own_confidence, e.coverage, e.source, e.method_version, coalesce(v.fresh_at, e.freshness), e.inputs_hash, e.inputs,
  e.contributions, e.caps, r.account_id, v.ledger_id
FROM score_version v JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
LEFT JOIN usage_run r ON r.ledger_id = v.ledger_id;
DROP TABLE score_version;
DROP TABLE score_evidence;
ALTER TABLE score ADD FOREIGN KEY (account_id, ledger_id) REFERENCES usage_run (account_id, ledger_id);
CREATE TRIGGER score_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON score
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
