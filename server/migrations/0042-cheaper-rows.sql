-- What triggers and their functions cost per row that an import writes, in µs of one core, before and after:
--   words of a name            216 →  8   a function with a query inside is run as one, for each row; an expression is not
--   marks of a listing          33 →  9   the same
--   a score in the ranking      13 →  1   what a transaction has said of everything it says no second time
-- Nothing of what they write changes.

-- Each word once, of at most 100 characters: array_to_tsvector sorts and leaves out what it has.
CREATE FUNCTION name_words(names text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_remove(regexp_split_to_array(
    CASE WHEN length(lower(normalize(names, NFKC))) > 100
      THEN regexp_replace(lower(normalize(names, NFKC)), '([^[:space:][:punct:]]{100})[^[:space:][:punct:]]+', '\1', 'g')
      ELSE lower(normalize(names, NFKC)) END, '[[:space:][:punct:]]+'), ''))
$$;
CREATE OR REPLACE FUNCTION name_creators(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT DISTINCT ON (c.subject_id, key) 'creator', key, c.subject_id,
    coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = c.subject_id), 0),
    name_words(c.handle || ' ' || coalesce(c.display_name, ''))
  FROM unnest(ids) AS named JOIN creator c ON c.subject_id = named CROSS JOIN LATERAL unnest(ARRAY[name_key(c.handle), name_key(c.display_name)]) AS key
  WHERE key <> ''
$$;
CREATE OR REPLACE FUNCTION name_artifacts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT 'artifact', name_key(a.name), a.subject_id, coalesce(l.stars, 0), name_words(a.name)
  FROM unnest(ids) AS named JOIN artifact a ON a.subject_id = named JOIN listing l ON l.subject_id = a.listing_id
$$;
DROP FUNCTION name_words(text[]);

-- Tags side by side behind a control character, which no stored text has. Stable, as array_to_string is, which writes arrays of
-- any type: a function that says it is more than what it calls is run as one.
CREATE OR REPLACE FUNCTION listing_marks(kind text, license text, tags text[]) RETURNS text[] LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY['#k:' || lower(left(kind, 100) COLLATE "C")]
    || CASE WHEN license <> '' THEN ARRAY['#l:' || lower(left(license, 100) COLLATE "C")] ELSE '{}' END
    || array_remove(string_to_array(lower('#t:' || CASE WHEN length(array_to_string(tags, '')) > 100
        THEN regexp_replace(array_to_string(tags, E'\x1f#t:'), E'((^|\x1f#t:)[^\x1f]{100})[^\x1f]+', E'\\1', 'g')
        ELSE array_to_string(tags, E'\x1f#t:') END COLLATE "C"), E'\x1f'), '#t:')
$$;

-- What said everything says nothing more: no function is called for each row of what is left, no rows are compared.
CREATE FUNCTION announced_everything() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT coalesce(current_setting('directory.announced', true), '') = '*' $$;
CREATE OR REPLACE FUNCTION announce_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT announced_everything() AND EXISTS (SELECT FROM touched) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION announce_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT announced_everything() AND EXISTS (TABLE touched EXCEPT TABLE before) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION announce_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text;
BEGIN
  IF announced_everything() THEN RETURN NULL; END IF;
  SELECT CASE WHEN count(*) <= 100 THEN string_agg(id::text, ',') ELSE '*' END INTO change FROM touched;
  IF change IS NOT NULL THEN PERFORM announce(change); END IF;
  RETURN NULL;
END $$;
DROP TRIGGER announce_ranked ON listing_rank;
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier, verdict, reasons ON listing_rank FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier, OLD.verdict, OLD.reasons)
    IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier, NEW.verdict, NEW.reasons) AND NOT announced_everything())
  EXECUTE FUNCTION announce_ranking();

-- down
DROP TRIGGER announce_ranked ON listing_rank;
CREATE TRIGGER announce_ranked AFTER UPDATE OF trust, confidence, tier, verdict, reasons ON listing_rank FOR EACH ROW
  WHEN ((OLD.trust, OLD.confidence, OLD.tier, OLD.verdict, OLD.reasons)
    IS DISTINCT FROM (NEW.trust, NEW.confidence, NEW.tier, NEW.verdict, NEW.reasons))
  EXECUTE FUNCTION announce_ranking();
CREATE OR REPLACE FUNCTION announce_touched() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM touched) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION announce_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (TABLE touched EXCEPT TABLE before) THEN PERFORM announce('*'); END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION announce_scores() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change text;
BEGIN
  SELECT CASE WHEN count(*) <= 100 THEN string_agg(id::text, ',') ELSE '*' END INTO change FROM touched;
  IF change IS NOT NULL THEN PERFORM announce(change); END IF;
  RETURN NULL;
END $$;
DROP FUNCTION announced_everything();
CREATE OR REPLACE FUNCTION listing_marks(kind text, license text, tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY['#k:' || lower(left(kind, 100) COLLATE "C")]
    || CASE WHEN license <> '' THEN ARRAY['#l:' || lower(left(license, 100) COLLATE "C")] ELSE '{}' END
    || ARRAY(SELECT '#t:' || lower(left(tag, 100) COLLATE "C") FROM unnest(tags) AS tag WHERE tag <> '')
$$;
CREATE FUNCTION name_words(names text[]) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(ARRAY(SELECT DISTINCT left(word, 100) FROM unnest(names) AS name,
    regexp_split_to_table(lower(normalize(name, NFKC)), '[[:space:][:punct:]]+') AS word WHERE word <> ''))
$$;
CREATE OR REPLACE FUNCTION name_creators(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT DISTINCT ON (c.subject_id, key) 'creator', key, c.subject_id,
    coalesce((SELECT max(l.stars) FROM listing l WHERE l.creator_id = c.subject_id), 0),
    name_words(ARRAY[c.handle, coalesce(c.display_name, '')])
  FROM unnest(ids) AS named JOIN creator c ON c.subject_id = named CROSS JOIN LATERAL unnest(ARRAY[name_key(c.handle), name_key(c.display_name)]) AS key
  WHERE key <> ''
$$;
CREATE OR REPLACE FUNCTION name_artifacts(ids uuid[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO listed_name (of, key, subject_id, weight, words)
  SELECT 'artifact', name_key(a.name), a.subject_id, coalesce(l.stars, 0), name_words(ARRAY[a.name])
  FROM unnest(ids) AS named JOIN artifact a ON a.subject_id = named JOIN listing l ON l.subject_id = a.listing_id
$$;
DROP FUNCTION name_words(text);
