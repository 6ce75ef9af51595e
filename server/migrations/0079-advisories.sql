-- Known advisories of packages, as imports read them from OSV records. They are independent of listings. `advisory_history` has the
-- states that newer records replaced, and `advisory_reading` says when whole databases were last read.
CREATE TABLE advisory (
  id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  url text,
  aliases text[] NOT NULL,
  published_at timestamp with time zone,
  modified_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  disputed boolean NOT NULL,
  summary text NOT NULL,
  details text NOT NULL,
  severity text,
  cvss text,
  category text NOT NULL,
  problem text,
  content_hash text NOT NULL,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT advisory_pkey PRIMARY KEY (id)
);
CREATE TABLE advisory_package (
  advisory_id text COLLATE "C" NOT NULL,
  place integer NOT NULL,
  ecosystem text NOT NULL,
  package text COLLATE "C" NOT NULL,
  versions text[] NOT NULL,
  intervals jsonb NOT NULL,
  CONSTRAINT advisory_package_pkey PRIMARY KEY (advisory_id, place),
  CONSTRAINT advisory_package_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES advisory(id) ON DELETE CASCADE,
  CONSTRAINT advisory_package_ecosystem_check CHECK (ecosystem = ANY (ARRAY['npm'::text, 'pypi'::text]))
);
CREATE INDEX advisory_package_name ON advisory_package USING btree (ecosystem, package);
CREATE TABLE advisory_history (
  id bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  advisory_id text COLLATE "C" NOT NULL,
  replaced_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  state jsonb NOT NULL,
  CONSTRAINT advisory_history_pkey PRIMARY KEY (id),
  CONSTRAINT advisory_history_advisory_id_fkey FOREIGN KEY (advisory_id) REFERENCES advisory(id) ON DELETE CASCADE
);
CREATE INDEX advisory_history_advisory ON advisory_history USING btree (advisory_id);
CREATE TABLE advisory_reading (
  source text NOT NULL,
  ecosystem text NOT NULL,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  records integer NOT NULL,
  CONSTRAINT advisory_reading_pkey PRIMARY KEY (source, ecosystem)
);

-- down
DROP TABLE advisory_reading;
DROP TABLE advisory_history;
DROP TABLE advisory_package;
DROP TABLE advisory;
