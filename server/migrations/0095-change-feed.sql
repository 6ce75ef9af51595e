-- Records changes of the directory for the change feed. Triggers write `change`; a job writes `change_watermark`. Readers read only
-- the changes below the newest watermark: every transaction below its horizon had ended when it was written, so that no later commit
-- adds a change below it, and its commit follows theirs in the log.
CREATE TABLE change (
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  kind text NOT NULL,
  subject_id uuid,
  item text COLLATE "C",
  at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT change_pkey PRIMARY KEY (xid, seq),
  CONSTRAINT change_check CHECK (subject_id IS NOT NULL OR item IS NOT NULL),
  CONSTRAINT change_kind_check CHECK (kind IN ('listing', 'score', 'verdict', 'advisory', 'removal', 'standing'))
);
CREATE TABLE change_watermark (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  horizon xid8 NOT NULL,
  cluster bigint NOT NULL,
  written_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  CONSTRAINT change_watermark_pkey PRIMARY KEY (id)
);
CREATE INDEX change_watermark_horizon ON change_watermark (horizon);
CREATE INDEX change_watermark_written ON change_watermark (written_at);

-- Listings whose answers name one of these listings as the newer name or the original, and these listings themselves.
CREATE FUNCTION listings_naming(ids uuid[]) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  WITH RECURSIVE older (id, depth) AS (
    SELECT asked.id, 0 FROM unnest(ids) AS asked (id)
    UNION
    SELECT r.from_listing_id, older.depth + 1 FROM older JOIN relation r ON r.to_listing_id = older.id
    WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.from_listing_id IS NOT NULL AND r.directed
      AND r.type IN ('renamed_to', 'probable_rename_to') AND older.depth < 16)
  SELECT id FROM older
  UNION
  SELECT r.from_listing_id FROM unnest(ids) AS asked (id) JOIN relation r ON r.to_listing_id = asked.id
  WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.from_listing_id IS NOT NULL
    AND r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')
  UNION
  SELECT r.to_listing_id FROM unnest(ids) AS asked (id) JOIN relation r ON r.from_listing_id = asked.id
  WHERE r.to_path IS NULL AND r.from_path IS NULL AND r.to_listing_id IS NOT NULL AND NOT r.directed
    AND r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')
$$;

CREATE FUNCTION record_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT 'listing', subject_id FROM touched;
  RETURN NULL;
END $$;

CREATE FUNCTION record_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id, item) SELECT 'removal', t.subject_id, to_jsonb(t) ->> 'agent_id' FROM touched t;
  RETURN NULL;
END $$;

-- A listing's answer has the number of its artifacts.
CREATE FUNCTION record_container() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT DISTINCT 'listing', listing_id FROM touched;
  RETURN NULL;
END $$;

CREATE FUNCTION record_artifact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) SELECT 'listing', id FROM (SELECT NEW.subject_id AS id
    UNION SELECT OLD.listing_id WHERE OLD.listing_id <> NEW.listing_id
    UNION SELECT NEW.listing_id WHERE OLD.listing_id <> NEW.listing_id) AS changed;
  RETURN NULL;
END $$;

-- The name of a listing stands in the answers of its older names and copies, its repository and its proof in those of its
-- artifacts.
CREATE FUNCTION record_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES ('listing', NEW.subject_id);
  IF (OLD.name, OLD.repository_created_at) IS DISTINCT FROM (NEW.name, NEW.repository_created_at) THEN
    INSERT INTO change (kind, subject_id)
    SELECT 'listing', id FROM listings_naming(ARRAY[NEW.subject_id]) AS id WHERE id <> NEW.subject_id;
  END IF;
  IF (OLD.host, OLD.repository, OLD.verified) IS DISTINCT FROM (NEW.host, NEW.repository, NEW.verified) THEN
    INSERT INTO change (kind, subject_id) SELECT 'listing', subject_id FROM artifact WHERE listing_id = NEW.subject_id;
  END IF;
  RETURN NULL;
END $$;

-- Whether the handle of a creator is shown with its host depends on the creators of other hosts that have the same one.
CREATE FUNCTION record_new_creators() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id)
  WITH namesake AS MATERIALIZED (
    SELECT DISTINCT c.subject_id FROM touched t JOIN creator c ON lower(c.handle) = lower(t.handle) AND c.subject_id <> t.subject_id)
  SELECT 'listing', subject_id FROM touched
  UNION ALL SELECT 'listing', subject_id FROM namesake
  UNION ALL SELECT 'listing', l.subject_id FROM namesake n JOIN listing l ON l.creator_id = n.subject_id;
  RETURN NULL;
END $$;

CREATE FUNCTION record_creator() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  renamed CONSTANT boolean := (OLD.host, OLD.handle, OLD.merged_into) IS DISTINCT FROM (NEW.host, NEW.handle, NEW.merged_into);
BEGIN
  INSERT INTO change (kind, subject_id)
  WITH changed AS MATERIALIZED (SELECT NEW.subject_id
    UNION SELECT subject_id FROM creator WHERE renamed AND lower(handle) IN (lower(OLD.handle), lower(NEW.handle)))
  SELECT 'listing', subject_id FROM changed
  UNION ALL SELECT 'listing', l.subject_id FROM changed c JOIN listing l ON l.creator_id = c.subject_id;
  RETURN NULL;
END $$;

CREATE FUNCTION record_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES (TG_ARGV[0], coalesce(NEW.subject_id, OLD.subject_id));
  RETURN NULL;
END $$;

CREATE FUNCTION record_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, subject_id) VALUES ('listing', NEW.id);
  RETURN NULL;
END $$;

-- The score of a verified creator stands in the answers of their listings. The first scores of an import are stored after the
-- version. Few creators are verified: imports, which score many, read no score here. With the first score of a listing comes its
-- first verdict.
CREATE FUNCTION record_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  proved uuid[];
BEGIN
  INSERT INTO change (kind, subject_id)
  SELECT 'score', t.id FROM touched t JOIN before b ON b.id = t.id WHERE t.current_version IS DISTINCT FROM b.current_version
  UNION ALL
  SELECT 'verdict', t.id FROM touched t JOIN before b ON b.id = t.id
  WHERE b.current_version IS NULL AND t.current_version IS NOT NULL AND t.type IN ('agent', 'skill');
  IF NOT EXISTS (SELECT FROM touched WHERE type = 'creator') THEN RETURN NULL; END IF;
  SELECT array_agg(c.subject_id) INTO proved FROM touched t JOIN creator c ON c.subject_id = t.id WHERE c.verified;
  IF proved IS NULL THEN RETURN NULL; END IF;
  INSERT INTO change (kind, subject_id)
  SELECT 'listing', l.subject_id
  FROM touched t JOIN before b ON b.id = t.id
  LEFT JOIN score was ON was.subject_id = t.id AND was.version = b.current_version
  LEFT JOIN score became ON became.subject_id = t.id AND became.version = t.current_version
  JOIN listing l ON l.creator_id = t.id
  WHERE t.id = ANY (proved) AND t.current_version IS DISTINCT FROM b.current_version
    AND (became.trust IS NULL OR (was.trust, was.confidence) IS DISTINCT FROM (became.trust, became.confidence));
  RETURN NULL;
END $$;

CREATE FUNCTION record_relations() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[];
BEGIN
  SELECT array_agg(DISTINCT id) INTO ids FROM (
    SELECT unnest(ARRAY[from_listing_id, to_listing_id]) AS id FROM touched
    WHERE from_path IS NULL AND to_path IS NULL AND type IN ('renamed_to', 'probable_rename_to', 'duplicate_of', 'copied_from',
      'same_name_and_description', 'same_tool_manifest')) AS ends WHERE id IS NOT NULL;
  INSERT INTO change (kind, subject_id) SELECT 'listing', id FROM listings_naming(ids) AS id;
  RETURN NULL;
END $$;

CREATE FUNCTION record_advisories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'advisory' THEN
    INSERT INTO change (kind, item) SELECT 'advisory', id FROM touched;
  ELSE
    INSERT INTO change (kind, item) SELECT DISTINCT 'advisory', advisory_id FROM touched;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION record_standings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO change (kind, item) SELECT 'standing', type || '/' || category FROM touched;
  RETURN NULL;
END $$;

-- TRUNCATE does not say what it removes, so that all readers must start again.
CREATE FUNCTION forget_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM change_watermark;
  RETURN NULL;
END $$;

CREATE TRIGGER change_added AFTER INSERT ON listing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_updated AFTER UPDATE ON listing
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_listing();
CREATE TRIGGER change_removed AFTER DELETE ON listing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON listing FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_contained AFTER INSERT ON artifact
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_container();
CREATE TRIGGER change_updated AFTER UPDATE ON artifact
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_artifact();
CREATE TRIGGER change_removed AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_uncontained AFTER DELETE ON artifact
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_container();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON artifact FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON creator
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_new_creators();
CREATE TRIGGER change_updated AFTER UPDATE ON creator
  FOR EACH ROW WHEN (OLD.host IS DISTINCT FROM NEW.host OR OLD.handle IS DISTINCT FROM NEW.handle
    OR OLD.display_name IS DISTINCT FROM NEW.display_name OR OLD.verified IS DISTINCT FROM NEW.verified
    OR OLD.merged_into IS DISTINCT FROM NEW.merged_into) EXECUTE FUNCTION record_creator();
CREATE TRIGGER change_removed AFTER DELETE ON creator
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON creator FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON platform_account
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_added();
CREATE TRIGGER change_updated AFTER UPDATE ON platform_account
  FOR EACH ROW WHEN (OLD.platform IS DISTINCT FROM NEW.platform OR OLD.handle IS DISTINCT FROM NEW.handle)
  EXECUTE FUNCTION record_row('listing');
CREATE TRIGGER change_removed AFTER DELETE ON platform_account
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_removed();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON platform_account FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_updated AFTER UPDATE OF type, name ON subject
  FOR EACH ROW WHEN (OLD.type IS DISTINCT FROM NEW.type OR OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION record_name();
CREATE TRIGGER change_scored AFTER UPDATE ON subject
  REFERENCING OLD TABLE AS before NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_scores();
CREATE TRIGGER change_judged AFTER UPDATE OF verdict, reasons ON listing_rank
  FOR EACH ROW WHEN (OLD.verdict IS NOT NULL AND (OLD.verdict IS DISTINCT FROM NEW.verdict OR OLD.reasons IS DISTINCT FROM NEW.reasons))
  EXECUTE FUNCTION record_row('verdict');

CREATE TRIGGER change_added AFTER INSERT ON relation
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_updated_from AFTER UPDATE ON relation
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_updated_to AFTER UPDATE ON relation
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_removed AFTER DELETE ON relation
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_relations();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON relation FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON observed_fact
  FOR EACH ROW WHEN (NEW.fact = 'package_standing') EXECUTE FUNCTION record_row('advisory');
CREATE TRIGGER change_updated AFTER UPDATE ON observed_fact
  FOR EACH ROW WHEN (NEW.fact = 'package_standing' AND OLD.value IS DISTINCT FROM NEW.value)
  EXECUTE FUNCTION record_row('advisory');
CREATE TRIGGER change_removed AFTER DELETE ON observed_fact
  FOR EACH ROW WHEN (OLD.fact = 'package_standing') EXECUTE FUNCTION record_row('advisory');
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON observed_fact FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON advisory
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_updated AFTER UPDATE ON advisory
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_removed AFTER DELETE ON advisory
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON advisory FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();
CREATE TRIGGER change_added AFTER INSERT ON advisory_dispute
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_updated AFTER UPDATE ON advisory_dispute
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_removed AFTER DELETE ON advisory_dispute
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_advisories();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON advisory_dispute FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

CREATE TRIGGER change_added AFTER INSERT ON category_standing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();
CREATE TRIGGER change_updated AFTER UPDATE ON category_standing
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();
CREATE TRIGGER change_removed AFTER DELETE ON category_standing
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION record_standings();
CREATE TRIGGER change_forgotten AFTER TRUNCATE ON category_standing FOR EACH STATEMENT EXECUTE FUNCTION forget_changes();

-- down
DROP TRIGGER change_added ON listing;
DROP TRIGGER change_updated ON listing;
DROP TRIGGER change_removed ON listing;
DROP TRIGGER change_forgotten ON listing;
DROP TRIGGER change_added ON artifact;
DROP TRIGGER change_contained ON artifact;
DROP TRIGGER change_updated ON artifact;
DROP TRIGGER change_removed ON artifact;
DROP TRIGGER change_uncontained ON artifact;
DROP TRIGGER change_forgotten ON artifact;
DROP TRIGGER change_added ON creator;
DROP TRIGGER change_updated ON creator;
DROP TRIGGER change_removed ON creator;
DROP TRIGGER change_forgotten ON creator;
DROP TRIGGER change_added ON platform_account;
DROP TRIGGER change_updated ON platform_account;
DROP TRIGGER change_removed ON platform_account;
DROP TRIGGER change_forgotten ON platform_account;
DROP TRIGGER change_updated ON subject;
DROP TRIGGER change_scored ON subject;
DROP TRIGGER change_judged ON listing_rank;
DROP TRIGGER change_added ON relation;
DROP TRIGGER change_updated_from ON relation;
DROP TRIGGER change_updated_to ON relation;
DROP TRIGGER change_removed ON relation;
DROP TRIGGER change_forgotten ON relation;
DROP TRIGGER change_added ON observed_fact;
DROP TRIGGER change_updated ON observed_fact;
DROP TRIGGER change_removed ON observed_fact;
DROP TRIGGER change_forgotten ON observed_fact;
DROP TRIGGER change_added ON advisory;
DROP TRIGGER change_updated ON advisory;
DROP TRIGGER change_removed ON advisory;
DROP TRIGGER change_forgotten ON advisory;
DROP TRIGGER change_added ON advisory_dispute;
DROP TRIGGER change_updated ON advisory_dispute;
DROP TRIGGER change_removed ON advisory_dispute;
DROP TRIGGER change_forgotten ON advisory_dispute;
DROP TRIGGER change_added ON category_standing;
DROP TRIGGER change_updated ON category_standing;
DROP TRIGGER change_removed ON category_standing;
DROP TRIGGER change_forgotten ON category_standing;
DROP FUNCTION forget_changes();
DROP FUNCTION record_standings();
DROP FUNCTION record_advisories();
DROP FUNCTION record_relations();
DROP FUNCTION record_scores();
DROP FUNCTION record_name();
DROP FUNCTION record_row();
DROP FUNCTION record_creator();
DROP FUNCTION record_new_creators();
DROP FUNCTION record_listing();
DROP FUNCTION record_artifact();
DROP FUNCTION record_container();
DROP FUNCTION record_removed();
DROP FUNCTION record_added();
DROP FUNCTION listings_naming(uuid[]);
DROP TABLE change_watermark;
DROP TABLE change;
