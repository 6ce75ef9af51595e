-- What the command `archive` rolls up. Nothing is lost by it: what was said is said in fewer rows, and the tables themselves
-- refuse a change that would lose any of it.

-- A closed bucket that is archived has one entry, the carry: its three sums, and in its note the entries that it stands for.
ALTER TABLE credit_bucket ADD COLUMN archived_at timestamptz;
DROP TRIGGER bucket_entry_append_only ON bucket_entry;
CREATE TRIGGER bucket_entry_append_only BEFORE UPDATE OR TRUNCATE ON bucket_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_uncarried() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM (SELECT account_id, bucket_id, jsonb_agg(to_jsonb(gone) - '{account_id,bucket_id}'::text[]
        ORDER BY at, kind, d_total, note) AS entries FROM gone GROUP BY 1, 2) g
    WHERE NOT EXISTS (SELECT FROM bucket_entry e JOIN credit_bucket b ON b.account_id = e.account_id AND b.id = e.bucket_id
      WHERE e.account_id = g.account_id AND e.bucket_id = g.bucket_id AND e.kind = 'carry' AND b.archived_at IS NOT NULL
        AND (e.d_total, e.d_used, e.d_held, b.held) = (b.total, b.used, 0, 0) AND e.note::jsonb = g.entries)) THEN
    RAISE EXCEPTION 'DELETE on bucket_entry is not allowed: ledger entries are kept as they are, or carried';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bucket_entry_carried AFTER DELETE ON bucket_entry REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_uncarried();

-- The runs of an archived bucket stand in its carry.
CREATE OR REPLACE VIEW ledger_entry AS
SELECT account_id, bucket_id, NULL::uuid AS ledger_id, kind, d_total, d_used, d_held, note, at FROM bucket_entry
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM open_run
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM ended_run r
  WHERE NOT EXISTS (SELECT FROM credit_bucket b WHERE b.account_id = r.account_id AND b.id = r.bucket_id AND b.archived_at IS NOT NULL)
UNION ALL
SELECT account_id, bucket_id, ledger_id,
  CASE WHEN state = 'settled' THEN 'settle' WHEN fail_code = 'lease_expired' THEN 'expire' ELSE 'reverse' END,
  0, CASE state WHEN 'settled' THEN amount ELSE 0 END, -amount, NULL, ended_at FROM ended_run r
  WHERE NOT EXISTS (SELECT FROM credit_bucket b WHERE b.account_id = r.account_id AND b.id = r.bucket_id AND b.archived_at IS NOT NULL);

-- What scores of closed periods were made of, many of one subject in a row: they say nearly the same, so that together they are
-- small. Written once, read through the view `score`.
CREATE TABLE score_archive (
  subject_id uuid NOT NULL,
  part integer NOT NULL,
  -- By content: its inputs, contributions and caps.
  details jsonb NOT NULL,
  PRIMARY KEY (subject_id, part)
) WITH (toast_tuple_target = 128);  -- compressed, however short
CREATE TRIGGER score_archive_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON score_archive
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE score_evidence ADD COLUMN archived_in integer;
DROP TRIGGER score_evidence_append_only ON score_evidence;
CREATE TRIGGER score_evidence_append_only BEFORE DELETE OR TRUNCATE ON score_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE FUNCTION refuse_unarchived() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  large CONSTANT text[] := '{inputs,contributions,caps,archived_in}';
BEGIN
  IF EXISTS (SELECT FROM was FULL JOIN became USING (subject_id, content)
    LEFT JOIN score_archive a ON a.subject_id = became.subject_id AND a.part = became.archived_in
    WHERE was.archived_in IS NOT NULL OR to_jsonb(was) - large IS DISTINCT FROM to_jsonb(became) - large
      OR a.details -> content::text IS DISTINCT FROM
        jsonb_build_object('inputs', was.inputs, 'contributions', was.contributions, 'caps', was.caps)) THEN
    RAISE EXCEPTION 'UPDATE on score_evidence is not allowed: what scores are made of is kept as it is, or archived';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER score_evidence_kept AFTER UPDATE ON score_evidence REFERENCING OLD TABLE AS was NEW TABLE AS became
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_unarchived();

CREATE OR REPLACE VIEW score AS
SELECT v.subject_id, v.version, e.subject_type, e.trust, e.confidence, e.lower_bound, e.tier, e.status, e.own_trust,
  e.own_confidence, e.coverage, e.source, e.method_version, coalesce(v.fresh_at, e.freshness) AS freshness, e.inputs_hash,
  CASE WHEN e.archived_in IS NULL THEN e.inputs ELSE a.details -> e.content::text -> 'inputs' END AS inputs,
  CASE WHEN e.archived_in IS NULL THEN e.contributions ELSE a.details -> e.content::text -> 'contributions' END AS contributions,
  CASE WHEN e.archived_in IS NULL THEN e.caps ELSE a.details -> e.content::text -> 'caps' END AS caps, v.ledger_id
FROM score_version v JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content
LEFT JOIN score_archive a ON a.subject_id = e.subject_id AND a.part = e.archived_in;

-- down
CREATE OR REPLACE VIEW score AS
SELECT v.subject_id, v.version, e.subject_type, e.trust, e.confidence, e.lower_bound, e.tier, e.status, e.own_trust,
  e.own_confidence, e.coverage, e.source, e.method_version, coalesce(v.fresh_at, e.freshness) AS freshness, e.inputs_hash,
  e.inputs, e.contributions, e.caps, v.ledger_id
FROM score_version v JOIN score_evidence e ON e.subject_id = v.subject_id AND e.content = v.content;
DROP TRIGGER score_evidence_kept ON score_evidence;
DROP FUNCTION refuse_unarchived();
DROP TRIGGER score_evidence_append_only ON score_evidence;
UPDATE score_evidence e SET inputs = a.details -> e.content::text -> 'inputs',
  contributions = a.details -> e.content::text -> 'contributions', caps = a.details -> e.content::text -> 'caps'
FROM score_archive a WHERE a.subject_id = e.subject_id AND a.part = e.archived_in;
CREATE TRIGGER score_evidence_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON score_evidence
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DROP TABLE score_archive;
ALTER TABLE score_evidence DROP COLUMN archived_in;

CREATE OR REPLACE VIEW ledger_entry AS
SELECT account_id, bucket_id, NULL::uuid AS ledger_id, kind, d_total, d_used, d_held, note, at FROM bucket_entry
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM open_run
UNION ALL
SELECT account_id, bucket_id, ledger_id, 'hold', 0, 0, amount, NULL, created_at FROM ended_run
UNION ALL
SELECT account_id, bucket_id, ledger_id,
  CASE WHEN state = 'settled' THEN 'settle' WHEN fail_code = 'lease_expired' THEN 'expire' ELSE 'reverse' END,
  0, CASE state WHEN 'settled' THEN amount ELSE 0 END, -amount, NULL, ended_at FROM ended_run;
DROP TRIGGER bucket_entry_carried ON bucket_entry;
DROP FUNCTION refuse_uncarried();
DROP TRIGGER bucket_entry_append_only ON bucket_entry;
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, d_used, d_held, note, at)
SELECT c.account_id, c.bucket_id, e.kind, e.d_total, e.d_used, e.d_held, e.note, e.at FROM bucket_entry c
CROSS JOIN LATERAL jsonb_to_recordset(c.note::jsonb)
  AS e(kind text, d_total bigint, d_used bigint, d_held bigint, note text, at timestamptz) WHERE c.kind = 'carry';
DELETE FROM bucket_entry WHERE kind = 'carry';
CREATE TRIGGER bucket_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON bucket_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE credit_bucket DROP COLUMN archived_at;
