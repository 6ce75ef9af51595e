-- Stores what the MCP registry says about each version of a server.
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

-- down
DROP TABLE mcp_registry_entry;
