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
DROP TRIGGER announce_refreshed ON listing;
CREATE TRIGGER announce_refreshed AFTER UPDATE OF description, tags, repository_url, host_repository_id,
  homepage, license, stars, forks, open_issues, last_commit_at, repository_created_at, archived,
  metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, npm_confirmed, pypi_confirmed, npm_missing, pypi_missing, other_packages,
  updated_at ON listing
  FOR EACH ROW
  WHEN (old.description IS DISTINCT FROM new.description OR old.tags IS DISTINCT FROM new.tags OR
    old.repository_url IS DISTINCT FROM new.repository_url OR old.host_repository_id IS DISTINCT FROM
    new.host_repository_id OR old.homepage IS DISTINCT FROM new.homepage OR old.license IS DISTINCT FROM
    new.license OR old.stars IS DISTINCT FROM new.stars OR old.forks IS DISTINCT FROM new.forks OR
    old.open_issues IS DISTINCT FROM new.open_issues OR old.last_commit_at IS DISTINCT FROM new.last_commit_at
    OR old.repository_created_at IS DISTINCT FROM new.repository_created_at OR old.archived IS DISTINCT FROM
    new.archived OR old.metrics_observed_at IS DISTINCT FROM new.metrics_observed_at OR old.npm_package IS
    DISTINCT FROM new.npm_package OR old.npm_monthly_downloads IS DISTINCT FROM new.npm_monthly_downloads OR
    old.pypi_package IS DISTINCT FROM new.pypi_package OR old.npm_confirmed IS
    DISTINCT FROM new.npm_confirmed OR old.pypi_confirmed IS DISTINCT FROM new.pypi_confirmed OR old.npm_missing
    IS DISTINCT FROM new.npm_missing OR old.pypi_missing IS DISTINCT FROM new.pypi_missing OR old.other_packages
    IS DISTINCT FROM new.other_packages OR old.updated_at IS DISTINCT FROM new.updated_at)
  EXECUTE FUNCTION announce_listing();

-- down
DROP TRIGGER announce_refreshed ON listing;
CREATE TRIGGER announce_refreshed AFTER UPDATE OF description, tags, repository_url, host_repository_id,
  homepage, license, stars, forks, open_issues, last_commit_at, repository_created_at, archived,
  metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, npm_confirmed, pypi_confirmed, updated_at ON listing
  FOR EACH ROW
  WHEN (old.description IS DISTINCT FROM new.description OR old.tags IS DISTINCT FROM new.tags OR
    old.repository_url IS DISTINCT FROM new.repository_url OR old.host_repository_id IS DISTINCT FROM
    new.host_repository_id OR old.homepage IS DISTINCT FROM new.homepage OR old.license IS DISTINCT FROM
    new.license OR old.stars IS DISTINCT FROM new.stars OR old.forks IS DISTINCT FROM new.forks OR
    old.open_issues IS DISTINCT FROM new.open_issues OR old.last_commit_at IS DISTINCT FROM new.last_commit_at
    OR old.repository_created_at IS DISTINCT FROM new.repository_created_at OR old.archived IS DISTINCT FROM
    new.archived OR old.metrics_observed_at IS DISTINCT FROM new.metrics_observed_at OR old.npm_package IS
    DISTINCT FROM new.npm_package OR old.npm_monthly_downloads IS DISTINCT FROM new.npm_monthly_downloads OR
    old.pypi_package IS DISTINCT FROM new.pypi_package OR old.npm_confirmed IS
    DISTINCT FROM new.npm_confirmed OR old.pypi_confirmed IS DISTINCT FROM new.pypi_confirmed OR old.updated_at
    IS DISTINCT FROM new.updated_at)
  EXECUTE FUNCTION announce_listing();
ALTER TABLE listing DROP COLUMN npm_missing, DROP COLUMN pypi_missing, DROP COLUMN other_packages;
DROP TABLE package_reading;
