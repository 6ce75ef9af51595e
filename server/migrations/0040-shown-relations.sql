-- What sources say of two repositories is shown on the pages of both. What is kept of those pages in memory follows.
CREATE TRIGGER announce_added AFTER INSERT ON relation REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_removed AFTER DELETE ON relation REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_changed AFTER UPDATE ON relation REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON relation
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();

-- A collection has thousands of files that are also elsewhere. What is said of the repository itself (no path), or of one
-- file, is found without reading the rest.
DROP INDEX relation_from;
DROP INDEX relation_to;
DROP INDEX relation_missing_to;
CREATE INDEX relation_from ON relation (from_listing_id, from_path);
CREATE INDEX relation_to ON relation (to_listing_id, to_path);
CREATE INDEX relation_missing_to ON relation (lower(to_repository), to_path) WHERE to_listing_id IS NULL;

-- down
DROP INDEX relation_missing_to;
DROP INDEX relation_to;
DROP INDEX relation_from;
CREATE INDEX relation_from ON relation (from_listing_id);
CREATE INDEX relation_to ON relation (to_listing_id);
CREATE INDEX relation_missing_to ON relation (lower(to_repository)) WHERE to_listing_id IS NULL;
DROP TRIGGER announce_emptied ON relation;
DROP TRIGGER announce_changed ON relation;
DROP TRIGGER announce_removed ON relation;
DROP TRIGGER announce_added ON relation;
