-- When a listing's metadata was last read from its repository's host, with what result, and when it is read again.
CREATE TABLE repository_refresh (
  listing_id uuid PRIMARY KEY REFERENCES listing ON DELETE CASCADE,
  -- What the host marked its last full answer with: sent back, so that it need not repeat it.
  etag text,
  last_modified text,
  -- The last answer of any kind, and the last one that the listing's metrics come from or were confirmed by.
  checked_at timestamptz,
  confirmed_at timestamptz,
  next_check_at timestamptz NOT NULL DEFAULT ledger_now(),
  -- Who reads it at present, and until when others leave it alone.
  lease_id uuid,
  leased_until timestamptz,
  -- Failed checks in a row.
  failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
  outcome text CHECK (outcome IN ('read', 'unchanged', 'renamed', 'replaced', 'duplicate', 'gone', 'failed')),
  CHECK ((lease_id IS NULL) = (leased_until IS NULL)),
  CHECK ((checked_at IS NULL) = (outcome IS NULL))
);
CREATE INDEX repository_refresh_due ON repository_refresh (next_check_at, listing_id);
CREATE INDEX repository_refresh_checked ON repository_refresh (checked_at);

-- down
DROP TABLE repository_refresh;
