-- What of a listing changes with its score, in narrow rows that lists by score are walked along. A score that moves writes
-- three index entries here and none of `listing`; one that is what it was writes none at all. Beside the score stands what
-- lists are filtered by, and nothing that changes more often.
CREATE TABLE listing_rank (
  subject_id uuid PRIMARY KEY REFERENCES listing ON DELETE CASCADE,
  score_version timestamptz,
  trust double precision,
  confidence double precision,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL DEFAULT 'low' CHECK (tier IN ('high', 'medium', 'low')),
  category text NOT NULL,
  CHECK ((trust IS NULL) = (score_version IS NULL)),
  CHECK ((trust IS NULL) = (confidence IS NULL))
) WITH (fillfactor = 80);  -- room for HOT updates
INSERT INTO listing_rank (subject_id, score_version, trust, confidence, agent_id, type, verified, tier, category)
SELECT subject_id, score_version, trust, confidence, agent_id, type, verified, tier, category FROM listing;
CREATE INDEX listing_rank_score ON listing_rank (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
-- Every choice of filters is a few ranges of this one, each in order: one index in the place of one per filter.
CREATE INDEX listing_rank_filtered ON listing_rank (category, tier, type, verified, trust DESC NULLS LAST,
  confidence DESC NULLS LAST, agent_id);

-- What changes with the catalogue: search words as before, and the order by name. By the listing's id, as the ranking is,
-- so that neither needs an index more to find the other.
CREATE TABLE words_by_subject AS
SELECT l.subject_id, l.agent_id, l.type, l.verified, l.tier, l.category, lower(l.name) AS sort_name, w.words
FROM listing l JOIN listing_words w ON w.agent_id = l.agent_id;
DROP TABLE listing_words;
ALTER TABLE words_by_subject RENAME TO listing_words;
ALTER TABLE listing_words ADD PRIMARY KEY (subject_id), ADD FOREIGN KEY (subject_id) REFERENCES listing ON DELETE CASCADE,
  ALTER COLUMN agent_id SET NOT NULL, ALTER COLUMN type SET NOT NULL, ALTER COLUMN verified SET NOT NULL,
  ALTER COLUMN tier SET NOT NULL, ALTER COLUMN tier SET DEFAULT 'low', ALTER COLUMN category SET NOT NULL,
  ALTER COLUMN sort_name SET NOT NULL, ALTER COLUMN words SET NOT NULL;
CREATE INDEX listing_words_words ON listing_words USING gin (words) WITH (fastupdate = off);
CREATE INDEX listing_words_name ON listing_words (sort_name, agent_id);
CREATE INDEX listing_words_filtered ON listing_words (category, tier, type, verified, sort_name, agent_id);

DROP TRIGGER listing_added ON listing;
DROP TRIGGER listing_removed ON listing;
DROP TRIGGER listing_changed ON listing;
DROP TRIGGER listing_words_changed ON listing;
DROP TRIGGER announce_ranked ON listing;
DROP INDEX listing_name;
-- With them go their indexes: listing_score_desc, listing_category, listing_tier, listing_verified.
ALTER TABLE listing DROP COLUMN trust, DROP COLUMN confidence, DROP COLUMN tier, DROP COLUMN score_version;

-- A listing's row in the ranking comes with it, no matter who writes it; its score is written by who confirms one.
CREATE FUNCTION rank_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_rank (subject_id, agent_id, type, verified, category)
  SELECT subject_id, agent_id, type, verified, category FROM added;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_added AFTER INSERT ON listing REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION rank_new_listings();

CREATE OR REPLACE FUNCTION carry_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_rank SET type = NEW.type, verified = NEW.verified, category = NEW.category
  WHERE subject_id = NEW.subject_id
    AND (type, verified, category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category);
  UPDATE listing_words SET type = NEW.type, verified = NEW.verified, category = NEW.category, sort_name = lower(NEW.name)
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_carried AFTER UPDATE OF type, verified, category, name ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.category, OLD.name) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category, NEW.name))
  EXECUTE FUNCTION carry_changed_listing();

CREATE FUNCTION carry_changed_tier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
-- WHEN is tested before the function is called, so a new score of the same tier costs nothing here.
CREATE TRIGGER listing_rank_carried AFTER UPDATE OF tier ON listing_rank FOR EACH ROW
  WHEN (OLD.tier <> NEW.tier) EXECUTE FUNCTION carry_changed_tier();

-- Totals are counted where all that they are counted by stands.
CREATE TRIGGER listing_rank_added AFTER INSERT ON listing_rank REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_rank_removed AFTER DELETE ON listing_rank REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();
CREATE TRIGGER listing_rank_changed AFTER UPDATE OF type, verified, tier, category ON listing_rank FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION count_changed_listing();

DO $$
DECLARE
  each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['listing_rank', 'listing_words'] LOOP
    EXECUTE format('CREATE TRIGGER announce_added AFTER INSERT ON %I REFERENCING NEW TABLE AS touched
      FOR EACH STATEMENT EXECUTE FUNCTION announce_touched()', each);
    EXECUTE format('CREATE TRIGGER announce_removed AFTER DELETE ON %I REFERENCING OLD TABLE AS touched
      FOR EACH STATEMENT EXECUTE FUNCTION announce_touched()', each);
    EXECUTE format('CREATE TRIGGER announce_emptied AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION announce_everything()', each);
  END LOOP;
END $$;
-- The rest of a row changes with its listing, which says so.
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier ON listing_rank FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier) IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier))
  EXECUTE FUNCTION announce_ranking();
CREATE TRIGGER announce_changed AFTER UPDATE OF words ON listing_words FOR EACH ROW
  WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION announce_everything();

-- down
DROP TRIGGER listing_added ON listing;
DROP TRIGGER listing_carried ON listing;
DROP FUNCTION rank_new_listings();
ALTER TABLE listing ADD COLUMN trust double precision, ADD COLUMN confidence double precision,
  ADD COLUMN tier text NOT NULL DEFAULT 'low' CHECK (tier IN ('high', 'medium', 'low')), ADD COLUMN score_version timestamptz,
  ADD CHECK ((trust IS NULL) = (score_version IS NULL)), ADD CHECK ((trust IS NULL) = (confidence IS NULL));
UPDATE listing l SET trust = k.trust, confidence = k.confidence, tier = k.tier, score_version = k.score_version
FROM listing_rank k WHERE k.subject_id = l.subject_id;
CREATE INDEX listing_score_desc ON listing (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_name ON listing (lower(name), agent_id) INCLUDE (name);
CREATE INDEX listing_category ON listing (category, trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_tier ON listing (tier, trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_verified ON listing (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id) WHERE verified;
DROP TABLE listing_rank;
DROP FUNCTION carry_changed_tier();

CREATE TABLE words_by_agent AS SELECT agent_id, type, verified, tier, category, words FROM listing_words;
DROP TABLE listing_words;
ALTER TABLE words_by_agent RENAME TO listing_words;
ALTER TABLE listing_words ADD PRIMARY KEY (agent_id), ADD FOREIGN KEY (agent_id) REFERENCES listing (agent_id) ON DELETE CASCADE,
  ALTER COLUMN type SET NOT NULL, ALTER COLUMN verified SET NOT NULL, ALTER COLUMN tier SET NOT NULL,
  ALTER COLUMN category SET NOT NULL, ALTER COLUMN words SET NOT NULL;
CREATE INDEX listing_words_words ON listing_words USING gin (words) WITH (fastupdate = off);

CREATE TRIGGER listing_added AFTER INSERT ON listing REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_removed AFTER DELETE ON listing REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();
CREATE TRIGGER listing_changed AFTER UPDATE ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION count_changed_listing();
CREATE OR REPLACE FUNCTION carry_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET type = NEW.type, verified = NEW.verified, tier = NEW.tier, category = NEW.category
  WHERE agent_id = NEW.agent_id;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_words_changed AFTER UPDATE ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION carry_changed_listing();
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier, score_version ON listing FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier) IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier))
  EXECUTE FUNCTION announce_ranking();
CREATE TRIGGER announce_added AFTER INSERT ON listing_words REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_removed AFTER DELETE ON listing_words REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION announce_touched();
CREATE TRIGGER announce_emptied AFTER TRUNCATE ON listing_words
  FOR EACH STATEMENT EXECUTE FUNCTION announce_everything();
CREATE TRIGGER announce_changed AFTER UPDATE OF words ON listing_words FOR EACH ROW
  WHEN (OLD.words IS DISTINCT FROM NEW.words) EXECUTE FUNCTION announce_everything();
