-- Stores what package registries show about packages that listings name, and which packages of listings are missing there.
CREATE TABLE package_reading (
  ecosystem text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  version text,
  released_at timestamp with time zone,
  host text,
  repository text,
  provenance text,
  deprecated boolean,
  monthly_downloads bigint,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT package_reading_pkey PRIMARY KEY (ecosystem, name),
  CONSTRAINT package_reading_ecosystem_check CHECK (ecosystem IN ('npm', 'pypi')),
  CONSTRAINT package_reading_outcome_check CHECK (outcome IN ('read', 'missing')),
  CONSTRAINT package_reading_repository_check CHECK ((host IS NULL) = (repository IS NULL)),
  CONSTRAINT package_reading_provenance_check CHECK (provenance IN ('attested', 'none', 'lost'))
);

ALTER TABLE listing ADD COLUMN npm_missing boolean DEFAULT false NOT NULL,
  ADD COLUMN pypi_missing boolean DEFAULT false NOT NULL,
  ADD COLUMN other_packages jsonb DEFAULT '[]' NOT NULL;

-- down
ALTER TABLE listing DROP COLUMN npm_missing, DROP COLUMN pypi_missing, DROP COLUMN other_packages;
DROP TABLE package_reading;
