-- How the listings of a category are spread by trust, so that a page can say what share of them one stands above without
-- counting: for each percent the trust that so many have at most. Kept by the process that counts; small, and read by its key.
CREATE TABLE category_standing (
  type text NOT NULL CHECK (type IN ('agent', 'skill')),
  category text NOT NULL,
  -- Scored listings that were counted.
  among int NOT NULL CHECK (among > 0),
  -- Ascending: the trust of the first, second, … ninety-ninth percent.
  bounds double precision[] NOT NULL CHECK (cardinality(bounds) = 99),
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (type, category)
);

CREATE TRIGGER announce_added AFTER INSERT ON category_standing REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_removed AFTER DELETE ON category_standing REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON category_standing
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_changed AFTER UPDATE ON category_standing REFERENCING OLD TABLE AS before NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_changed();

-- One row: when somebody last counted, whether or not anything had changed. Nothing shows it.
CREATE TABLE standing_look (looked_at timestamptz NOT NULL DEFAULT '-infinity');
CREATE UNIQUE INDEX standing_look_once ON standing_look ((true));
INSERT INTO standing_look DEFAULT VALUES;

-- down
DROP TABLE standing_look;
DROP TABLE category_standing;
