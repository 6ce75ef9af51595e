-- Names as people begin to type them: of listings, creators and artifacts, each with how popular it is, so that the first few
-- that begin so are found in a few rows of an index. Triggers write it, no matter who changes a name.
CREATE TABLE listed_name (
  of text NOT NULL CHECK (of IN ('listing', 'creator', 'artifact')),
  key text COLLATE "C" NOT NULL,
  subject_id uuid NOT NULL,
  -- Stars of the repository; of a creator, those of the most starred one.
  weight bigint NOT NULL,
  -- What lists of listings do not search.
  words tsvector,
  PRIMARY KEY (of, key, subject_id)
);
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$ SELECT left(lower(normalize(btrim(name), NFKC)), 200) $$;
CREATE FUNCTION name_words(names text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY(SELECT DISTINCT left(word, 100) FROM unnest(names) AS name,
    regexp_split_to_table(lower(normalize(name, NFKC)), '[[:space:][:punct:]]+') AS word WHERE word <> ''))
$$;

CREATE FUNCTION name_creators(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT DISTINCT ON (c.subject_id, key) 'creator', key, c.subject_id,
    coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = c.subject_id), 0),
    name_words(ARRAY[c.handle, coalesce(c.display_name, '')])
  FROM unnest(ids) AS named JOIN creator c ON c.subject_id = named CROSS JOIN LATERAL unnest(ARRAY[name_key(c.handle), name_key(c.display_name)]) AS key
  WHERE key <> ''
$$;
CREATE FUNCTION name_artifacts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT 'artifact', name_key(a.name), a.subject_id, coalesce(l.stars, 0), name_words(ARRAY[a.name])
  FROM unnest(ids) AS named JOIN artifact a ON a.subject_id = named JOIN listing l ON l.subject_id = a.listing_id
$$;
SELECT name_creators(ARRAY(SELECT subject_id FROM creator));
SELECT name_artifacts(ARRAY(SELECT subject_id FROM artifact));
INSERT INTO listed_name (of, key, subject_id, weight)
SELECT 'listing', name_key(name), subject_id, coalesce(stars, 0) FROM listing;
CREATE INDEX listed_name_subject ON listed_name (subject_id);
CREATE INDEX listed_name_weight ON listed_name (of, weight DESC, key, subject_id);
CREATE INDEX listed_name_words ON listed_name USING gin (words) WITH (fastupdate = off) WHERE words IS NOT NULL;

CREATE FUNCTION name_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'creator' THEN PERFORM name_creators(ARRAY(SELECT subject_id FROM added));
    WHEN 'artifact' THEN PERFORM name_artifacts(ARRAY(SELECT subject_id FROM added));
  END CASE;
  RETURN NULL;
END $$;
CREATE FUNCTION name_added_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listed_name (of, key, subject_id, weight)
  SELECT 'listing', name_key(name), subject_id, coalesce(stars, 0) FROM added;
  UPDATE listed_name n SET weight = a.stars FROM (SELECT creator_id, max(stars) AS stars FROM added GROUP BY 1) AS a
  WHERE n.subject_id = a.creator_id AND n.weight < a.stars;
  RETURN NULL;
END $$;
CREATE FUNCTION name_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_name n USING removed r WHERE n.subject_id = r.subject_id;
  RETURN NULL;
END $$;
CREATE FUNCTION name_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM listed_name WHERE subject_id = NEW.subject_id;
  CASE TG_TABLE_NAME
    WHEN 'creator' THEN PERFORM name_creators(ARRAY[NEW.subject_id]);
    WHEN 'artifact' THEN PERFORM name_artifacts(ARRAY[NEW.subject_id]);
  END CASE;
  RETURN NULL;
END $$;
CREATE FUNCTION name_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listed_name SET key = name_key(NEW.name), weight = coalesce(NEW.stars, 0) WHERE subject_id = NEW.subject_id;
  UPDATE listed_name SET weight = coalesce(NEW.stars, 0)
  WHERE subject_id IN (SELECT a.subject_id FROM artifact a WHERE a.listing_id = NEW.subject_id);
  -- Only where it was the most starred one are the creator's others looked at.
  UPDATE listed_name SET weight = NEW.stars WHERE subject_id = NEW.creator_id AND weight < NEW.stars;
  IF NEW.creator_id <> OLD.creator_id OR OLD.stars > coalesce(NEW.stars, 0) THEN
    UPDATE listed_name SET weight = coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = OLD.creator_id), 0)
    WHERE subject_id = OLD.creator_id AND weight = OLD.stars;
  END IF;
  RETURN NULL;
END $$;
DO $$
DECLARE
  each text;
BEGIN
  FOREACH each IN ARRAY ARRAY['creator', 'artifact', 'listing'] LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION %s()',
      each || '_named', each, CASE each WHEN 'listing' THEN 'name_added_listings' ELSE 'name_added' END);
    EXECUTE format('CREATE TRIGGER %I AFTER DELETE ON %I REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION name_removed()',
      each || '_unnamed', each);
  END LOOP;
END $$;
CREATE TRIGGER creator_renamed AFTER UPDATE OF handle, display_name ON creator FOR EACH ROW
  WHEN ((OLD.handle, OLD.display_name) IS DISTINCT FROM (NEW.handle, NEW.display_name)) EXECUTE FUNCTION name_changed();
CREATE TRIGGER artifact_renamed AFTER UPDATE OF name, listing_id ON artifact FOR EACH ROW
  WHEN ((OLD.name, OLD.listing_id) IS DISTINCT FROM (NEW.name, NEW.listing_id)) EXECUTE FUNCTION name_changed();
CREATE TRIGGER listing_renamed AFTER UPDATE OF name, stars, creator_id ON listing FOR EACH ROW
  WHEN ((OLD.name, OLD.stars, OLD.creator_id) IS DISTINCT FROM (NEW.name, NEW.stars, NEW.creator_id))
  EXECUTE FUNCTION name_changed_listing();

-- down
DROP TRIGGER creator_named ON creator;
DROP TRIGGER artifact_named ON artifact;
DROP TRIGGER listing_named ON listing;
DROP TRIGGER creator_unnamed ON creator;
DROP TRIGGER artifact_unnamed ON artifact;
DROP TRIGGER listing_unnamed ON listing;
DROP TRIGGER creator_renamed ON creator;
DROP TRIGGER artifact_renamed ON artifact;
DROP TRIGGER listing_renamed ON listing;
DROP FUNCTION name_added();
DROP FUNCTION name_added_listings();
DROP FUNCTION name_removed();
DROP FUNCTION name_changed();
DROP FUNCTION name_changed_listing();
DROP FUNCTION name_creators(uuid[]);
DROP FUNCTION name_artifacts(uuid[]);
DROP TABLE listed_name;
DROP FUNCTION name_words(text[]);
DROP FUNCTION name_key(text);
