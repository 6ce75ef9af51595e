-- A creator's standing among those who build on each other, 0 to 1: a part of the score, made anew as a whole.
CREATE TABLE creator_equity (
  creator_id uuid PRIMARY KEY REFERENCES creator ON DELETE CASCADE,
  equity double precision NOT NULL CHECK (equity BETWEEN 0 AND 1),
  computed_at timestamptz NOT NULL DEFAULT ledger_now()
);

-- Tells a note that a scoring has read from one made while it was under way, which must outlive it.
ALTER TABLE score_due ADD COLUMN noted_at timestamptz NOT NULL DEFAULT ledger_now();

-- When an interrupted recompute of everything began: what is younger is done. The row goes when it is complete.
CREATE TABLE recompute_run (
  -- The types of subject that it is about, in their order.
  scope text PRIMARY KEY,
  started_at timestamptz NOT NULL DEFAULT ledger_now()
);

-- down
DROP TABLE recompute_run;
ALTER TABLE score_due DROP COLUMN noted_at;
DROP TABLE creator_equity;
