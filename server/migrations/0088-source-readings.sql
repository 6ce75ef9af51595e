-- Schedules the readings of sources other than the repository itself: what is read next, the lease of the process that
-- reads it now, and what the last reading leaves for the next one, such as validators.
CREATE TABLE source_reading (
  source text COLLATE "C" NOT NULL,
  item text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  listing_id uuid,
  next_check_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  checked_at timestamp with time zone,
  outcome text,
  failures integer DEFAULT 0 NOT NULL,
  requests integer DEFAULT 0 NOT NULL,
  state jsonb DEFAULT '{}' NOT NULL,
  lease_id uuid,
  leased_until timestamp with time zone,
  CONSTRAINT source_reading_pkey PRIMARY KEY (source, item),
  CONSTRAINT source_reading_lease_check CHECK ((lease_id IS NULL) = (leased_until IS NULL)),
  CONSTRAINT source_reading_checked_check CHECK ((checked_at IS NULL) = (outcome IS NULL)),
  CONSTRAINT source_reading_outcome_check CHECK (outcome IN ('read', 'unchanged', 'gone', 'failed')),
  CONSTRAINT source_reading_counts_check CHECK (failures >= 0 AND requests >= 0),
  CONSTRAINT source_reading_listing_id_fkey FOREIGN KEY (listing_id) REFERENCES listing (subject_id) ON DELETE CASCADE
);
CREATE INDEX source_reading_due ON source_reading (source, next_check_at, item);
CREATE INDEX source_reading_checked ON source_reading (checked_at);
CREATE INDEX source_reading_listing ON source_reading (listing_id);

-- down
DROP TABLE source_reading;
