CREATE TABLE creator (
  subject_id uuid PRIMARY KEY REFERENCES subject,
  -- A repository host, or 'directory' for an identity that exists only as an account here.
  host text NOT NULL,
  handle text NOT NULL,
  display_name text,
  verified boolean NOT NULL DEFAULT false,
  account_id uuid UNIQUE REFERENCES account,
  -- The row as last imported, kept whole; columns hold what is queried.
  imported jsonb,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  updated_at timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE UNIQUE INDEX creator_handle ON creator (host, lower(handle));
CREATE INDEX creator_bare_handle ON creator (lower(handle));

-- One row per listed repository: what lists show, and a copy of the current score for their order.
CREATE TABLE listing (
  subject_id uuid PRIMARY KEY REFERENCES subject,
  registry_row_id uuid NOT NULL UNIQUE,
  agent_id text COLLATE "C" NOT NULL UNIQUE CHECK (agent_id ~ '^AGT-[0-9A-HJKMNP-TV-Z]{8}$'),
  type text NOT NULL CHECK (type IN ('agent', 'skill')),
  kind text NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  category text NOT NULL CHECK (category IN ('coding', 'research', 'productivity', 'data', 'automation', 'creative',
    'infrastructure', 'communication', 'other')),
  tags text[] NOT NULL DEFAULT '{}',
  creator_id uuid NOT NULL REFERENCES creator,
  host text NOT NULL,
  repository text NOT NULL,
  repository_url text NOT NULL,
  host_repository_id text,
  homepage text,
  license text,
  stars bigint CHECK (stars >= 0),
  forks bigint CHECK (forks >= 0),
  open_issues bigint CHECK (open_issues >= 0),
  last_commit_at timestamptz,
  repository_created_at timestamptz,
  archived boolean,
  metrics_observed_at timestamptz,
  npm_package text,
  npm_monthly_downloads bigint CHECK (npm_monthly_downloads >= 0),
  pypi_package text,
  verified boolean NOT NULL DEFAULT false,
  parent_id uuid REFERENCES listing,
  parent_relation text CHECK (parent_relation IN ('fork_of', 'port_of', 'based_on', 'built_on', 'copied_from')),
  parent_stated boolean,
  parent_acknowledged_at timestamptz,
  source text NOT NULL,
  registered_by uuid REFERENCES account,
  imported jsonb,
  search tsvector NOT NULL,
  trust double precision,
  confidence double precision,
  tier text NOT NULL DEFAULT 'low' CHECK (tier IN ('high', 'medium', 'low')),
  score_version timestamptz,
  listed_at timestamptz NOT NULL DEFAULT ledger_now(),
  updated_at timestamptz NOT NULL DEFAULT ledger_now(),
  CHECK ((parent_id IS NULL) = (parent_relation IS NULL)),
  CHECK ((parent_id IS NULL) = (parent_stated IS NULL)),
  CHECK (parent_id <> subject_id),
  CHECK ((trust IS NULL) = (score_version IS NULL)),
  CHECK ((trust IS NULL) = (confidence IS NULL))
);
CREATE UNIQUE INDEX listing_repository ON listing (lower(host), lower(repository));
CREATE UNIQUE INDEX listing_host_repository_id ON listing (host, host_repository_id);
CREATE INDEX listing_score_desc ON listing (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_name ON listing (lower(name), agent_id) INCLUDE (name);
CREATE INDEX listing_category ON listing (category, trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_tier ON listing (tier, trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_verified ON listing (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id) WHERE verified;
CREATE INDEX listing_search ON listing USING gin (search) WITH (fastupdate = off);
CREATE INDEX listing_creator ON listing (creator_id);
CREATE INDEX listing_parent ON listing (parent_id, agent_id) WHERE parent_id IS NOT NULL;

-- Totals of lists are kept, not counted: every change of a listing inserts its difference, maintenance folds them.
CREATE TABLE listing_total (
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL,
  category text NOT NULL,
  difference bigint NOT NULL
);

CREATE FUNCTION count_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total SELECT type, verified, tier, category, count(*) FROM added GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE FUNCTION count_removed_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total SELECT type, verified, tier, category, -count(*) FROM removed GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE FUNCTION count_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total VALUES (OLD.type, OLD.verified, OLD.tier, OLD.category, -1),
    (NEW.type, NEW.verified, NEW.tier, NEW.category, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER listing_added AFTER INSERT ON listing REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_removed AFTER DELETE ON listing REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();
-- WHEN is tested before the function is called, so a new score of the same tier costs nothing here.
CREATE TRIGGER listing_changed AFTER UPDATE ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION count_changed_listing();

-- A skill, plugin, agent or server inside a listed repository: a subject without a directory row of its own.
CREATE TABLE artifact (
  subject_id uuid PRIMARY KEY REFERENCES subject,
  registry_row_id uuid NOT NULL UNIQUE,
  listing_id uuid NOT NULL REFERENCES listing,
  type text NOT NULL CHECK (type IN ('agent', 'skill')),
  kind text NOT NULL,
  name text NOT NULL,
  path text,
  description text NOT NULL DEFAULT '',
  license text,
  npm_package text,
  pypi_package text,
  source text NOT NULL,
  imported jsonb,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  updated_at timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE UNIQUE INDEX artifact_name ON artifact (listing_id, name);

-- What a source says of two repositories or files. A lineage edge (listing.parent_id) is made from some of them.
CREATE TABLE relation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL,
  from_repository text NOT NULL,
  from_path text,
  to_repository text NOT NULL,
  to_path text,
  from_listing_id uuid REFERENCES listing,
  to_listing_id uuid REFERENCES listing,
  directed boolean NOT NULL,
  stated boolean NOT NULL,
  resolution text,
  evidence text,
  source text NOT NULL,
  imported jsonb,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  CHECK (from_listing_id IS NOT NULL OR to_listing_id IS NOT NULL)
);
CREATE UNIQUE INDEX relation_statement ON relation (type, lower(from_repository), coalesce(from_path, ''),
  lower(to_repository), coalesce(to_path, ''), source);
CREATE INDEX relation_from ON relation (from_listing_id);
CREATE INDEX relation_to ON relation (to_listing_id);
CREATE INDEX relation_missing_from ON relation (lower(from_repository)) WHERE from_listing_id IS NULL;
CREATE INDEX relation_missing_to ON relation (lower(to_repository)) WHERE to_listing_id IS NULL;

-- down
DROP TABLE relation;
DROP TABLE artifact;
DROP TABLE listing_total;
DROP TABLE listing;
DROP FUNCTION count_new_listings();
DROP FUNCTION count_removed_listings();
DROP FUNCTION count_changed_listing();
DROP TABLE creator;
