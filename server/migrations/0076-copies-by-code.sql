-- Code of the server writes the copies of listings: `write-copies.ts` in `server/src/catalog/listings/`. Triggers did before.
-- A server of the version before would leave the copies of what it still writes behind: stop it first (`server/docs/install.md`).
DROP TRIGGER listing_added ON listing;
DROP TRIGGER listing_carried ON listing;
DROP TRIGGER listing_marked ON listing;
DROP TRIGGER listing_ordered ON listing;
DROP TRIGGER listing_passed_on ON listing;
DROP FUNCTION rank_new_listings(), carry_changed_listing(), carry_changed_marks(), carry_changed_order(), keep_former_creator();

-- down
CREATE FUNCTION rank_new_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  WITH marked AS MATERIALIZED (
    SELECT *, (SELECT coalesce(bit_or(mark_bits(mark)), 0) FROM unnest((listing_marks(kind, license, tags))[2:]) AS mark) AS marks
    FROM added),
  ranked AS (
    INSERT INTO listing_rank (subject_id, agent_id, type, verified, category, kind, license, marks)
    SELECT subject_id, agent_id, type, verified, category, kind, lower(left(coalesce(license, ''), 100) COLLATE "C"), marks
    FROM marked)
  INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags, marks)
  SELECT subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags, marks FROM marked;
  RETURN NULL;
END $function$;

CREATE FUNCTION carry_changed_listing()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE listing_rank SET type = NEW.type, verified = NEW.verified, category = NEW.category
  WHERE subject_id = NEW.subject_id
    AND (type, verified, category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category);
  UPDATE listing_words SET type = NEW.type, verified = NEW.verified, category = NEW.category, sort_name = lower(NEW.name),
    popularity = popularity_of(NEW.stars)
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION carry_changed_marks()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  of_listing CONSTANT text[] := listing_marks(NEW.kind, NEW.license, NEW.tags);
  bits CONSTANT bigint := (SELECT coalesce(bit_or(mark_bits(mark)), 0) FROM unnest(of_listing[2:]) AS mark);
BEGIN
  UPDATE listing_rank SET kind = NEW.kind, license = lower(left(coalesce(NEW.license, ''), 100) COLLATE "C"), marks = bits
  WHERE subject_id = NEW.subject_id;
  UPDATE listing_order SET marks = bits WHERE subject_id = NEW.subject_id AND marks <> bits;
  UPDATE listing_words SET kind = NEW.kind, license = coalesce(NEW.license, ''),
    words = ts_delete(words, listing_marks(OLD.kind, OLD.license, OLD.tags)) || array_to_tsvector(of_listing)
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION carry_changed_order()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE listing_order SET type = NEW.type, verified = NEW.verified, category = NEW.category, kind = NEW.kind, tags = NEW.tags,
    stars = NEW.stars, last_commit_at = NEW.last_commit_at, listed_at = NEW.listed_at
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $function$;

CREATE FUNCTION keep_former_creator()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO listing_creator_history (listing_id, creator_id) VALUES (OLD.subject_id, OLD.creator_id);
  RETURN NULL;
END $function$;

CREATE TRIGGER listing_added AFTER INSERT ON listing
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION rank_new_listings();
CREATE TRIGGER listing_carried AFTER UPDATE OF type, verified, category, name, stars ON listing
  FOR EACH ROW
  WHEN (old.type IS DISTINCT FROM new.type OR old.verified IS DISTINCT FROM new.verified OR old.category IS
    DISTINCT FROM new.category OR old.name IS DISTINCT FROM new.name OR popularity_of(old.stars) IS DISTINCT
    FROM popularity_of(new.stars))
  EXECUTE FUNCTION carry_changed_listing();
CREATE TRIGGER listing_marked AFTER UPDATE OF kind, license, tags ON listing
  FOR EACH ROW
  WHEN (old.kind IS DISTINCT FROM new.kind OR old.license IS DISTINCT FROM new.license OR old.tags IS DISTINCT
    FROM new.tags)
  EXECUTE FUNCTION carry_changed_marks();
CREATE TRIGGER listing_ordered AFTER UPDATE OF type, verified, category, kind, tags, stars, last_commit_at,
  listed_at ON listing
  FOR EACH ROW
  WHEN (old.type IS DISTINCT FROM new.type OR old.verified IS DISTINCT FROM new.verified OR old.category IS
    DISTINCT FROM new.category OR old.kind IS DISTINCT FROM new.kind OR old.tags IS DISTINCT FROM new.tags OR
    old.stars IS DISTINCT FROM new.stars OR old.last_commit_at IS DISTINCT FROM new.last_commit_at OR
    old.listed_at IS DISTINCT FROM new.listed_at)
  EXECUTE FUNCTION carry_changed_order();
CREATE TRIGGER listing_passed_on AFTER UPDATE OF creator_id ON listing
  FOR EACH ROW WHEN (old.creator_id <> new.creator_id) EXECUTE FUNCTION keep_former_creator();
