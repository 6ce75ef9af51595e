-- The order of a search by relevance. Within a class of it the most popular come first: doublings of stars, which few
-- refreshes change, so that the words beside it seldom have to move. `form` tells words of before, which do not say yet
-- where in a listing they stand; a task writes them anew, a few at a time, so that this takes no longer for many listings.
CREATE FUNCTION popularity_of(stars bigint) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN stars > 0 THEN length(ltrim((stars + 1)::bit(64)::text, '0')) - 1 ELSE 0 END::smallint
$$;
ALTER TABLE listing_words ADD COLUMN popularity smallint NOT NULL DEFAULT 0, ADD COLUMN form smallint NOT NULL DEFAULT 0;
ALTER TABLE listing_words ALTER COLUMN form SET DEFAULT 1;
CREATE INDEX listing_words_popular ON listing_words (popularity DESC, agent_id);
CREATE INDEX listing_words_earlier ON listing_words (subject_id) WHERE form = 0;

CREATE OR REPLACE FUNCTION carry_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_rank SET type = NEW.type, verified = NEW.verified, category = NEW.category
  WHERE subject_id = NEW.subject_id
    AND (type, verified, category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category);
  UPDATE listing_words SET type = NEW.type, verified = NEW.verified, category = NEW.category, sort_name = lower(NEW.name),
    popularity = popularity_of(NEW.stars)
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
DROP TRIGGER listing_carried ON listing;
CREATE TRIGGER listing_carried AFTER UPDATE OF type, verified, category, name, stars ON listing FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.category, OLD.name, popularity_of(OLD.stars))
    IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category, NEW.name, popularity_of(NEW.stars)))
  EXECUTE FUNCTION carry_changed_listing();

-- down
DROP TRIGGER listing_carried ON listing;
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
ALTER TABLE listing_words DROP COLUMN popularity, DROP COLUMN form;
DROP FUNCTION popularity_of(bigint);
