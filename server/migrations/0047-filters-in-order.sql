-- Filters by kind, licence and tag in orders where the first entries have none of them: the least trusted third of a directory
-- says neither licence nor tags, so that a walk from its end met nothing, and then everything was sorted.

-- Two of 64 bits for each mark. An entry without the bits of a mark has not the mark, which its index tells; with them it may.
-- The same on every machine, unlike hashtext: what is stored is read by others after a restore.
CREATE FUNCTION mark_bits(mark text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (1::bigint << (get_byte(sha256(replace(mark, '\', '\\')::bytea), 0) & 63))
    | (1::bigint << (get_byte(sha256(replace(mark, '\', '\\')::bytea), 1) & 63))
$$;

-- The licence is as its mark says it, '' where none is known; the bits are those of licence and tags.
ALTER TABLE listing_rank ADD COLUMN kind text, ADD COLUMN license text NOT NULL DEFAULT '', ADD COLUMN marks bigint NOT NULL DEFAULT 0;
ALTER TABLE listing_order ADD COLUMN marks bigint NOT NULL DEFAULT 0;
-- Indexes are made anew, not filled a second time.
DROP INDEX listing_rank_score, listing_rank_filtered, listing_words_filtered, listing_order_stars, listing_order_updated,
  listing_order_newest, listing_order_stars_filtered, listing_order_updated_filtered, listing_order_newest_filtered;
UPDATE listing_rank k SET kind = l.kind, license = lower(left(coalesce(l.license, ''), 100) COLLATE "C"),
  marks = (SELECT coalesce(bit_or(mark_bits(mark)), 0) FROM unnest((listing_marks(l.kind, l.license, l.tags))[2:]) AS mark)
FROM listing l WHERE l.subject_id = k.subject_id;
UPDATE listing_order o SET marks = k.marks FROM listing_rank k WHERE k.subject_id = o.subject_id AND k.marks <> 0;
ALTER TABLE listing_rank ALTER COLUMN kind SET NOT NULL;
CREATE INDEX listing_rank_score ON listing_rank (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id);
-- One range of each licence, and one of all that have a licence or a tag.
CREATE INDEX listing_rank_licensed ON listing_rank (license, trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id)
  INCLUDE (marks) WHERE license <> '';
CREATE INDEX listing_rank_marked ON listing_rank (trust DESC NULLS LAST, confidence DESC NULLS LAST, agent_id)
  INCLUDE (marks) WHERE marks <> 0;
CREATE INDEX listing_rank_filtered ON listing_rank (category, tier, type, kind, verified, trust DESC NULLS LAST,
  confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_words_filtered ON listing_words (category, tier, type, kind, verified, sort_name, agent_id);
CREATE INDEX listing_order_stars ON listing_order (stars DESC NULLS LAST, agent_id) INCLUDE (marks);
CREATE INDEX listing_order_updated ON listing_order (last_commit_at DESC NULLS LAST, agent_id) INCLUDE (marks);
CREATE INDEX listing_order_newest ON listing_order (listed_at DESC, agent_id) INCLUDE (marks);
CREATE INDEX listing_order_stars_filtered ON listing_order (category, tier, type, kind, verified, stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated_filtered ON listing_order (category, tier, type, kind, verified,
  last_commit_at DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_newest_filtered ON listing_order (category, tier, type, kind, verified, listed_at DESC, agent_id);

CREATE OR REPLACE FUNCTION rank_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE OR REPLACE FUNCTION carry_changed_marks() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;

-- down
CREATE OR REPLACE FUNCTION carry_changed_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE listing_words SET kind = NEW.kind, license = coalesce(NEW.license, ''),
    words = ts_delete(words, listing_marks(OLD.kind, OLD.license, OLD.tags))
      || array_to_tsvector(listing_marks(NEW.kind, NEW.license, NEW.tags))
  WHERE subject_id = NEW.subject_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION rank_new_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO listing_rank (subject_id, agent_id, type, verified, category)
  SELECT subject_id, agent_id, type, verified, category FROM added;
  INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags)
  SELECT subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags FROM added;
  RETURN NULL;
END $$;
DROP INDEX listing_rank_filtered, listing_words_filtered, listing_order_stars, listing_order_updated, listing_order_newest;
ALTER TABLE listing_rank DROP COLUMN kind, DROP COLUMN license, DROP COLUMN marks;
ALTER TABLE listing_order DROP COLUMN marks;
CREATE INDEX listing_rank_filtered ON listing_rank (category, tier, type, verified, trust DESC NULLS LAST,
  confidence DESC NULLS LAST, agent_id);
CREATE INDEX listing_words_filtered ON listing_words (category, tier, type, verified, sort_name, agent_id);
CREATE INDEX listing_order_stars ON listing_order (stars DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_updated ON listing_order (last_commit_at DESC NULLS LAST, agent_id);
CREATE INDEX listing_order_newest ON listing_order (listed_at DESC, agent_id);
DROP FUNCTION mark_bits(text);
