-- Stores what the MCP registry says about each version of a server, and which packages of listings are confirmed. Packages
-- of stored listings are confirmed by the next import of entries, or of their rows.
CREATE TABLE mcp_registry_entry (
  server_name text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  status text NOT NULL,
  is_latest boolean NOT NULL,
  published_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  host text,
  repository text,
  subfolder text,
  host_repository_id text,
  packages jsonb NOT NULL,
  remote_hosts text[] NOT NULL,
  source text NOT NULL,
  url text NOT NULL,
  license text NOT NULL,
  content_hash text COLLATE "C" NOT NULL,
  observed_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT mcp_registry_entry_pkey PRIMARY KEY (server_name, version),
  CONSTRAINT mcp_registry_entry_check CHECK ((host IS NULL) = (repository IS NULL)),
  CONSTRAINT mcp_registry_entry_status_check CHECK (status IN ('active', 'deprecated', 'deleted'))
);
CREATE INDEX mcp_registry_entry_repository ON mcp_registry_entry USING btree (lower(host), lower(repository));

ALTER TABLE listing ADD COLUMN npm_confirmed boolean DEFAULT false NOT NULL,
  ADD COLUMN pypi_confirmed boolean DEFAULT false NOT NULL;
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

-- down
DROP TRIGGER announce_refreshed ON listing;
CREATE TRIGGER announce_refreshed AFTER UPDATE OF description, tags, repository_url, host_repository_id,
  homepage, license, stars, forks, open_issues, last_commit_at, repository_created_at, archived,
  metrics_observed_at, npm_package, npm_monthly_downloads, pypi_package, updated_at ON listing
  FOR EACH ROW
  WHEN (old.description IS DISTINCT FROM new.description OR old.tags IS DISTINCT FROM new.tags OR
    old.repository_url IS DISTINCT FROM new.repository_url OR old.host_repository_id IS DISTINCT FROM
    new.host_repository_id OR old.homepage IS DISTINCT FROM new.homepage OR old.license IS DISTINCT FROM
    new.license OR old.stars IS DISTINCT FROM new.stars OR old.forks IS DISTINCT FROM new.forks OR
    old.open_issues IS DISTINCT FROM new.open_issues OR old.last_commit_at IS DISTINCT FROM new.last_commit_at
    OR old.repository_created_at IS DISTINCT FROM new.repository_created_at OR old.archived IS DISTINCT FROM
    new.archived OR old.metrics_observed_at IS DISTINCT FROM new.metrics_observed_at OR old.npm_package IS
    DISTINCT FROM new.npm_package OR old.npm_monthly_downloads IS DISTINCT FROM new.npm_monthly_downloads OR
    old.pypi_package IS DISTINCT FROM new.pypi_package OR old.updated_at IS DISTINCT FROM new.updated_at)
  EXECUTE FUNCTION announce_listing();
ALTER TABLE listing DROP COLUMN npm_confirmed, DROP COLUMN pypi_confirmed;
DROP TABLE mcp_registry_entry;
