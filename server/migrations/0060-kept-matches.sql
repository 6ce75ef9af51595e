-- What a search of middle frequency finds, kept beside its total: to hold an order against the matches, each was read where its
-- words stand, a page of the table for each of twenty thousand. Ids in pieces, in no order: what comes to match is a piece more,
-- and what matches no longer stays, so that who reads looks whether it does. With the changes that are not counted yet they are
-- all that match, and more.
CREATE TABLE search_match (
  search tsquery NOT NULL,
  agent_ids text[] NOT NULL
);
CREATE INDEX search_match_search ON search_match (search);
ALTER TABLE search_change ADD COLUMN agent_id text;
-- Kept again, with what they find.
DELETE FROM search_total WHERE search IN (SELECT search FROM search_total GROUP BY search HAVING sum(count) <= 30000);

CREATE OR REPLACE FUNCTION note_found_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM touched) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change (agent_id, type, verified, tier, category, kind, license, words, difference)
    SELECT agent_id, type, verified, tier, category, kind, license, words, TG_ARGV[0]::smallint FROM touched;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION note_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM after) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change (agent_id, type, verified, tier, category, kind, license, words, difference)
    SELECT v.*
    FROM before b JOIN after a ON a.subject_id = b.subject_id CROSS JOIN LATERAL (VALUES
      (b.agent_id, b.type, b.verified, b.tier, b.category, b.kind, b.license, b.words, -1::smallint),
      (a.agent_id, a.type, a.verified, a.tier, a.category, a.kind, a.license, a.words, 1::smallint)) AS v
    WHERE (a.agent_id, a.type, a.verified, a.tier, a.category, a.kind, a.license, a.words)
      IS DISTINCT FROM (b.agent_id, b.type, b.verified, b.tier, b.category, b.kind, b.license, b.words);
  END IF;
  RETURN NULL;
END $$;

-- Taken away as counted by anybody, also by a process of before, changes leave this behind: what came to match by them is kept. Who matched before them
-- and does after them adds up to nothing, and is there already.
CREATE FUNCTION keep_counted_matches() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM counted WHERE words IS NULL) THEN DELETE FROM search_match;
  ELSE INSERT INTO search_match (search, agent_ids)
    SELECT search, array_agg(agent_id) FROM (
      SELECT k.search, c.agent_id FROM (SELECT DISTINCT search FROM search_match) k JOIN counted c ON c.words @@ k.search
      WHERE c.agent_id IS NOT NULL GROUP BY 1, 2 HAVING sum(c.difference) > 0) AS come
    GROUP BY search;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER matches_kept AFTER DELETE ON search_change REFERENCING OLD TABLE AS counted
  FOR EACH STATEMENT EXECUTE FUNCTION keep_counted_matches();

-- down
DROP TRIGGER matches_kept ON search_change;
DROP FUNCTION keep_counted_matches();
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
ALTER TABLE search_change DROP COLUMN agent_id;
DROP TABLE search_match;
