-- The servers that run on this database, and the address that each has: commands print links for it. A server renews its row
-- while it runs; one that was killed leaves a row that is no longer renewed.
CREATE TABLE running_server (
  id uuid PRIMARY KEY,
  public_url text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT ledger_now()
);

-- down
DROP TABLE running_server;
