-- What a listing is found by, beside what searches are counted by. A search that most listings match reads all of them
-- for its counts: here that is a few hundred bytes each and not the whole row. A new score of the same tier, the most
-- frequent change of a listing, writes nothing here, so that its words stay where they are in their index.
DROP INDEX listing_search;
CREATE TABLE listing_words (
  -- The id by which lists are in order: the indexes of listing that hold their order hold it too.
  agent_id text COLLATE "C" PRIMARY KEY REFERENCES listing (agent_id) ON DELETE CASCADE,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL,
  category text NOT NULL,
  words tsvector NOT NULL
);
INSERT INTO listing_words SELECT agent_id, type, verified, tier, category, search FROM listing;
CREATE INDEX listing_words_words ON listing_words USING gin (words) WITH (fastupdate = off);
ALTER TABLE listing DROP COLUMN search;

CREATE FUNCTION carry_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET type = NEW.type, verified = NEW.verified, tier = NEW.tier, category = NEW.category
  WHERE agent_id = NEW.agent_id;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_words_changed AFTER UPDATE ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION carry_changed_listing();

-- down
DROP TRIGGER listing_words_changed ON listing;
DROP FUNCTION carry_changed_listing();
ALTER TABLE listing ADD COLUMN search tsvector;
UPDATE listing l SET search = coalesce((SELECT w.words FROM listing_words w WHERE w.agent_id = l.agent_id), '');
ALTER TABLE listing ALTER COLUMN search SET NOT NULL;
DROP TABLE listing_words;
CREATE INDEX listing_search ON listing USING gin (search) WITH (fastupdate = off);
