-- Orders by stars, by last commit and by age, and filters by kind, licence and tag.

-- What these orders go by, in narrow rows of their own: it changes when a repository is looked at anew, and not with a score
-- (listing_rank) or with words (listing_words), so that neither writes their indexes. Every choice of filters is a few ranges
-- of the longer index of each order.
CREATE TABLE listing_order (
  subject_id uuid PRIMARY KEY REFERENCES listing ON DELETE CASCADE,
  listed_at timestamptz NOT NULL,
  last_commit_at timestamptz,
  stars bigint,
  agent_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL DEFAULT 'low',
  category text NOT NULL,
  kind text NOT NULL,
  tags text[] NOT NULL
);
INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, tier, category, kind, tags)
SELECT l.subject_id, l.listed_at, l.last_commit_at, l.stars, l.agent_id, l.type, l.verified, k.tier, l.category, l.kind, l.tags
FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id;
CREATE INDEX listing_order_stars ON listing_order (stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated ON listing_order (last_commit_at DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_newest ON listing_order (listed_at DESC, agent_id);
CREATE INDEX listing_order_stars_filtered ON listing_order (category, tier, type, kind, verified, stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated_filtered ON listing_order (category, tier, type, kind, verified,
  last_commit_at DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_newest_filtered ON listing_order (category, tier, type, kind, verified, listed_at DESC, agent_id);

-- Kind, licence and tags stand among the words that a listing is found by, behind a character that no word has. So a filter
-- is one word more of a search, with all that searches have: an index, a plan by exact counts, kept totals.
CREATE FUNCTION listing_marks(kind text, license text, tags text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY['#k:' || lower(left(kind, 100) COLLATE "C")]
    || CASE WHEN license <> '' THEN ARRAY['#l:' || lower(left(license, 100) COLLATE "C")] ELSE '{}' END
    || ARRAY(SELECT '#t:' || lower(left(tag, 100) COLLATE "C") FROM unnest(tags) AS tag WHERE tag <> '')
$$;

-- Totals are counted by kind and licence too, where all of these stand: beside the words. A licence that is not known is ''.
ALTER TABLE listing_words ADD COLUMN kind text, ADD COLUMN license text NOT NULL DEFAULT '';
ALTER TABLE listing_words DISABLE TRIGGER USER;
-- Indexes are made anew, not filled a second time.
DROP INDEX listing_words_words;
DROP INDEX listing_words_name;
DROP INDEX listing_words_filtered;
UPDATE listing_words w SET kind = l.kind, license = coalesce(l.license, ''),
  words = w.words || array_to_tsvector(listing_marks(l.kind, l.license, l.tags))
FROM listing l WHERE l.subject_id = w.subject_id;
CREATE INDEX listing_words_words ON listing_words USING gin (words) WITH (fastupdate = off);
CREATE INDEX listing_words_name ON listing_words (sort_name, agent_id);
CREATE INDEX listing_words_filtered ON listing_words (category, tier, type, verified, sort_name, agent_id);
ALTER TABLE listing_words ENABLE TRIGGER USER;
ALTER TABLE listing_words ALTER COLUMN kind SET NOT NULL;

DROP TRIGGER listing_rank_added ON listing_rank;
DROP TRIGGER listing_rank_removed ON listing_rank;
DROP TRIGGER listing_rank_changed ON listing_rank;
TRUNCATE listing_total;
ALTER TABLE listing_total ADD COLUMN kind text NOT NULL, ADD COLUMN license text NOT NULL;
INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
SELECT type, verified, tier, category, kind, license, count(*) FROM listing_words GROUP BY 1, 2, 3, 4, 5, 6;
CREATE OR REPLACE FUNCTION count_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_removed_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  VALUES (OLD.type, OLD.verified, OLD.tier, OLD.category, OLD.kind, OLD.license, -1),
    (NEW.type, NEW.verified, NEW.tier, NEW.category, NEW.kind, NEW.license, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER listing_words_added AFTER INSERT ON listing_words REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_words_removed AFTER DELETE ON listing_words REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();
CREATE TRIGGER listing_words_changed AFTER UPDATE OF type, verified, tier, category, kind, license ON listing_words FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category, OLD.kind, OLD.license)
    IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category, NEW.kind, NEW.license))
  EXECUTE FUNCTION count_changed_listing();

-- A listing's rows in the ranking and in the orders come with it, no matter who writes it.
CREATE OR REPLACE FUNCTION rank_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_rank (subject_id, agent_id, type, verified, category)
  SELECT subject_id, agent_id, type, verified, category FROM added;
  INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags)
  SELECT subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags FROM added;
  RETURN NULL;
END $$;
CREATE FUNCTION carry_changed_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_order SET type = NEW.type, verified = NEW.verified, category = NEW.category, kind = NEW.kind, tags = NEW.tags,
    stars = NEW.stars, last_commit_at = NEW.last_commit_at, listed_at = NEW.listed_at
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_ordered AFTER UPDATE OF type, verified, category, kind, tags, stars, last_commit_at, listed_at ON listing
  FOR EACH ROW WHEN ((OLD.type, OLD.verified, OLD.category, OLD.kind, OLD.tags, OLD.stars, OLD.last_commit_at, OLD.listed_at)
    IS DISTINCT FROM (NEW.type, NEW.verified, NEW.category, NEW.kind, NEW.tags, NEW.stars, NEW.last_commit_at, NEW.listed_at))
  EXECUTE FUNCTION carry_changed_order();
CREATE FUNCTION carry_changed_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET kind = NEW.kind, license = coalesce(NEW.license, ''),
    words = ts_delete(words, listing_marks(OLD.kind, OLD.license, OLD.tags))
      || array_to_tsvector(listing_marks(NEW.kind, NEW.license, NEW.tags))
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
CREATE TRIGGER listing_marked AFTER UPDATE OF kind, license, tags ON listing FOR EACH ROW
  WHEN ((OLD.kind, OLD.license, OLD.tags) IS DISTINCT FROM (NEW.kind, NEW.license, NEW.tags))
  EXECUTE FUNCTION carry_changed_marks();
CREATE OR REPLACE FUNCTION carry_changed_tier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  UPDATE listing_order SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
-- Another place in an order changes lists, as another score does. Tier, type and the like are said by who changes them.
CREATE TRIGGER announce_ordered AFTER UPDATE OF stars, last_commit_at ON listing_order FOR EACH ROW
  WHEN ((OLD.stars, OLD.last_commit_at) IS DISTINCT FROM (NEW.stars, NEW.last_commit_at))
  EXECUTE FUNCTION announce_ranking();
-- The words say the rest; a licence that is spelt otherwise is the same word, and is counted apart.
CREATE TRIGGER announce_marked AFTER UPDATE OF license ON listing_words FOR EACH ROW
  WHEN (OLD.license <> NEW.license) EXECUTE FUNCTION announce_everything();

-- What was kept of searches is counted anew.
DELETE FROM search_change;
DELETE FROM search_total;
ALTER TABLE search_total ADD COLUMN kind text NOT NULL, ADD COLUMN license text NOT NULL, DROP CONSTRAINT search_total_pkey,
  ADD PRIMARY KEY (search, type, verified, tier, category, kind, license);
ALTER TABLE search_change ADD COLUMN kind text, ADD COLUMN license text;
CREATE OR REPLACE FUNCTION note_found_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM touched) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change (type, verified, tier, category, kind, license, words, difference)
    SELECT type, verified, tier, category, kind, license, words, TG_ARGV[0]::smallint FROM touched;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION note_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM after) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change (type, verified, tier, category, kind, license, words, difference)
    SELECT v.*
    FROM before b JOIN after a ON a.subject_id = b.subject_id CROSS JOIN LATERAL (VALUES
      (b.type, b.verified, b.tier, b.category, b.kind, b.license, b.words, -1::smallint),
      (a.type, a.verified, a.tier, a.category, a.kind, a.license, a.words, 1::smallint)) AS v
    WHERE (a.type, a.verified, a.tier, a.category, a.kind, a.license, a.words)
      IS DISTINCT FROM (b.type, b.verified, b.tier, b.category, b.kind, b.license, b.words);
  END IF;
  RETURN NULL;
END $$;

-- down
DELETE FROM search_change;
DELETE FROM search_total;
ALTER TABLE search_change DROP COLUMN kind, DROP COLUMN license;
ALTER TABLE search_total DROP COLUMN kind, DROP COLUMN license, ADD PRIMARY KEY (search, type, verified, tier, category);
CREATE OR REPLACE FUNCTION note_found_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM touched) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change SELECT type, verified, tier, category, words, TG_ARGV[0]::smallint FROM touched;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION note_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM after) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change
    SELECT v.type, v.verified, v.tier, v.category, v.words, v.difference
    FROM before b JOIN after a ON a.subject_id = b.subject_id CROSS JOIN LATERAL (VALUES
      (b.type, b.verified, b.tier, b.category, b.words, -1::smallint),
      (a.type, a.verified, a.tier, a.category, a.words, 1::smallint)) AS v (type, verified, tier, category, words, difference)
    WHERE (a.type, a.verified, a.tier, a.category, a.words) IS DISTINCT FROM (b.type, b.verified, b.tier, b.category, b.words);
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER announce_marked ON listing_words;
DROP TRIGGER listing_words_added ON listing_words;
DROP TRIGGER listing_words_removed ON listing_words;
DROP TRIGGER listing_words_changed ON listing_words;
DROP TRIGGER listing_marked ON listing;
DROP TRIGGER listing_ordered ON listing;
DROP FUNCTION carry_changed_marks();
DROP FUNCTION carry_changed_order();
DROP TABLE listing_order;
CREATE OR REPLACE FUNCTION carry_changed_tier() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET tier = NEW.tier WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION rank_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_rank (subject_id, agent_id, type, verified, category)
  SELECT subject_id, agent_id, type, verified, category FROM added;
  RETURN NULL;
END $$;
ALTER TABLE listing_words DISABLE TRIGGER USER;
UPDATE listing_words w SET words = ts_delete(w.words, listing_marks(l.kind, l.license, l.tags))
FROM listing l WHERE l.subject_id = w.subject_id;
ALTER TABLE listing_words ENABLE TRIGGER USER;
ALTER TABLE listing_words DROP COLUMN kind, DROP COLUMN license;
DROP FUNCTION listing_marks(text, text, text[]);
TRUNCATE listing_total;
ALTER TABLE listing_total DROP COLUMN kind, DROP COLUMN license;
INSERT INTO listing_total SELECT type, verified, tier, category, count(*) FROM listing_rank GROUP BY 1, 2, 3, 4;
CREATE OR REPLACE FUNCTION count_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total SELECT type, verified, tier, category, count(*) FROM added GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_removed_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total SELECT type, verified, tier, category, -count(*) FROM removed GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION count_changed_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_total VALUES (OLD.type, OLD.verified, OLD.tier, OLD.category, -1),
    (NEW.type, NEW.verified, NEW.tier, NEW.category, 1);
  RETURN NULL;
END $$;
CREATE TRIGGER listing_rank_added AFTER INSERT ON listing_rank REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new_listings();
CREATE TRIGGER listing_rank_removed AFTER DELETE ON listing_rank REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_removed_listings();
CREATE TRIGGER listing_rank_changed AFTER UPDATE OF type, verified, tier, category ON listing_rank FOR EACH ROW
  WHEN ((OLD.type, OLD.verified, OLD.tier, OLD.category) IS DISTINCT FROM (NEW.type, NEW.verified, NEW.tier, NEW.category))
  EXECUTE FUNCTION count_changed_listing();
