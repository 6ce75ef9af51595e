-- How often an account has had a host asked for its proofs, so that one account does not use up what the host allows us all.
CREATE TABLE host_asking (
  account_id uuid NOT NULL REFERENCES account,
  host text NOT NULL CHECK (host = lower(host)),
  -- In a row, without an hour's rest in between.
  times integer NOT NULL CHECK (times > 0),
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, host)
);

-- down
DROP TABLE host_asking;
