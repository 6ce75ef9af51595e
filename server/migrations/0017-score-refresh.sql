-- When a listing's creator last had it scored again, so that asking often costs the scoring backend one request a minute.
CREATE TABLE score_refresh (
  subject_id uuid PRIMARY KEY REFERENCES subject ON DELETE CASCADE,
  asked_at timestamptz NOT NULL
);

-- down
DROP TABLE score_refresh;
