-- What the last import and the last reading of repositories came to: each is a process of its own, or one of many, and
-- operators ask any of them. One row for each, written over by the next.
CREATE TABLE last_run (
  work text PRIMARY KEY CHECK (work IN ('import', 'refresh')),
  ended_at timestamptz NOT NULL DEFAULT ledger_now(),
  seconds double precision NOT NULL,
  -- Of all that it was to do; false where it failed or was interrupted.
  finished boolean NOT NULL,
  -- Listings that were stored or found as they were, or that were read from their hosts.
  listings bigint NOT NULL
);

-- down
DROP TABLE last_run;
