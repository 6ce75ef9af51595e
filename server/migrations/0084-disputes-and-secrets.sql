-- Stores disputes of single versions of an advisory: records have some of them themselves (`disputed_versions`); others are
-- statements of their own, such as a maintainer's. Stores the secrets that an entry of the MCP registry asks for. Pages show
-- entries, so that a change of one is announced.
ALTER TABLE advisory_package ADD COLUMN disputed_versions text[] NOT NULL DEFAULT '{}';
CREATE TABLE advisory_dispute (
  advisory_id text COLLATE "C" NOT NULL,
  ecosystem text NOT NULL,
  package text COLLATE "C" NOT NULL,
  url text COLLATE "C" NOT NULL,
  versions text[] NOT NULL,
  reason text NOT NULL,
  stated_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  read_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT advisory_dispute_pkey PRIMARY KEY (advisory_id, ecosystem, package, url),
  CONSTRAINT advisory_dispute_ecosystem_check CHECK (ecosystem = ANY (ARRAY['npm'::text, 'pypi'::text]))
);
ALTER TABLE mcp_registry_entry ADD COLUMN secrets text[] NOT NULL DEFAULT '{}';
CREATE TRIGGER announce_added AFTER INSERT ON mcp_registry_entry
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON mcp_registry_entry
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON mcp_registry_entry
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_removed AFTER DELETE ON mcp_registry_entry
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();

-- down
DROP TRIGGER announce_added ON mcp_registry_entry;
DROP TRIGGER announce_changed ON mcp_registry_entry;
DROP TRIGGER announce_emptied ON mcp_registry_entry;
DROP TRIGGER announce_removed ON mcp_registry_entry;
ALTER TABLE mcp_registry_entry DROP COLUMN secrets;
DROP TABLE advisory_dispute;
ALTER TABLE advisory_package DROP COLUMN disputed_versions;
