-- An account elsewhere that an account of this directory says is its own, with the proof of it. Once proved, a row is
-- ended (removed_at) and never deleted.
CREATE TABLE linked_account (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  kind text NOT NULL CHECK (kind IN ('repo_host', 'node_packages', 'python_packages', 'professional_network', 'social',
    'messaging')),
  host text NOT NULL CHECK (host = lower(host)),
  handle text NOT NULL CHECK (length(handle) BETWEEN 1 AND 200),
  -- What the owner publishes there. No secret: anybody may read it, and it proves nothing for another account.
  code text,
  code_expires_at timestamptz,
  proved_at timestamptz,
  proved_by text CHECK (proved_by IN ('code', 'operator', 'identity_provider')),
  evidence_url text CHECK (evidence_url ~ '^https?://'),
  -- The host's own id of the account: it stays the same through renames.
  host_account_id text,
  host_account_created_at timestamptz,
  -- The last good check. Null in a proved row: another account has the handle now, so it counts no more until checked.
  checked_at timestamptz,
  check_failed_at timestamptz,
  -- When to check again, and until when a process that claimed the row is left alone with it.
  check_due_at timestamptz,
  -- Set once the proof was noticed to count no more.
  lapsed_at timestamptz,
  -- The social or messaging account in the registry.
  subject_id uuid REFERENCES subject,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  CHECK ((code IS NULL) = (code_expires_at IS NULL)),
  CHECK (code IS NOT NULL OR proved_at IS NOT NULL),
  CHECK ((proved_at IS NULL) = (proved_by IS NULL)),
  CHECK (proved_at IS NOT NULL OR checked_at IS NULL),
  CHECK (proved_at IS NOT NULL OR removed_at IS NULL),
  CHECK ((check_due_at IS NULL) = (proved_at IS NULL OR removed_at IS NOT NULL))
);
CREATE INDEX linked_account_account ON linked_account (account_id);
CREATE UNIQUE INDEX linked_account_pending ON linked_account (account_id, kind, host, lower(handle))
  WHERE proved_at IS NULL;
-- One account elsewhere is proved by one account here at a time, by its id and by its present handle.
CREATE UNIQUE INDEX linked_account_one_owner ON linked_account (kind, host, host_account_id)
  WHERE proved_at IS NOT NULL AND removed_at IS NULL;
CREATE UNIQUE INDEX linked_account_one_handle ON linked_account (kind, host, lower(handle))
  WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at IS NOT NULL;
CREATE INDEX linked_account_check_due ON linked_account (check_due_at) WHERE check_due_at IS NOT NULL;
CREATE INDEX linked_account_not_lapsed ON linked_account (checked_at)
  WHERE proved_at IS NOT NULL AND removed_at IS NULL AND lapsed_at IS NULL;

-- The proofs that count now.
CREATE VIEW proved_account AS
  SELECT account_id, kind, host, handle, host_account_id, host_account_created_at, checked_at FROM linked_account
  WHERE proved_at IS NOT NULL AND removed_at IS NULL AND checked_at > ledger_now() - interval '60 days';

-- A creator whose owner proved it and has another one here already: its listings and names are that one's.
ALTER TABLE creator ADD COLUMN merged_into uuid REFERENCES creator;
-- The host's own id of the proved account: who bears the handle later is somebody else.
ALTER TABLE creator ADD COLUMN host_account_id text;
ALTER TABLE creator ADD CONSTRAINT creator_merged_bears_nothing
  CHECK (merged_into IS NULL OR (account_id IS NULL AND NOT verified AND merged_into <> subject_id));
CREATE INDEX creator_merged_into ON creator (merged_into) WHERE merged_into IS NOT NULL;

-- Whose a listing was before, whatever made it another's.
CREATE TABLE listing_creator_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  listing_id uuid NOT NULL REFERENCES listing,
  creator_id uuid NOT NULL REFERENCES creator,
  until timestamptz NOT NULL DEFAULT ledger_now()
);
CREATE INDEX listing_creator_history_listing ON listing_creator_history (listing_id);
CREATE FUNCTION keep_former_creator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_creator_history (listing_id, creator_id) VALUES (OLD.subject_id, OLD.creator_id);
  RETURN NULL;
END $$;
CREATE TRIGGER listing_passed_on AFTER UPDATE OF creator_id ON listing FOR EACH ROW
  WHEN (OLD.creator_id <> NEW.creator_id) EXECUTE FUNCTION keep_former_creator();

-- down
DROP TRIGGER listing_passed_on ON listing;
DROP FUNCTION keep_former_creator();
DROP TABLE listing_creator_history;
ALTER TABLE creator DROP COLUMN merged_into;
ALTER TABLE creator DROP COLUMN host_account_id;
DROP VIEW proved_account;
DROP TABLE linked_account;
