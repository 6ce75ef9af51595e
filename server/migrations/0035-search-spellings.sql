-- How names, their words and tags are spelled, each about once, so that what somebody mistyped leads to what was meant.
-- Rows may stand twice, where two imports met, and stay where their listing goes: what is suggested is looked for first.
-- pg_trgm comes with PostgreSQL, and any role that may create in the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE search_spelling (word text COLLATE "C" NOT NULL);
CREATE INDEX search_spelling_word ON search_spelling (word);
CREATE INDEX search_spelling_near ON search_spelling USING gin (word gin_trgm_ops);

-- The setting belongs to the function, so that no session has to be prepared.
CREATE FUNCTION near_spellings(asked text, threshold real, most int) RETURNS TABLE (word text) LANGUAGE plpgsql STABLE
SET pg_trgm.similarity_threshold = 0.2 AS $$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT s.word FROM search_spelling s WHERE s.word % asked GROUP BY s.word
    ORDER BY similarity(s.word, asked) DESC, s.word LIMIT most;
END $$;

-- down
DROP FUNCTION near_spellings(text, real, int);
DROP TABLE search_spelling;
-- The extension goes, unless somebody else has come to need it.
DO $$
BEGIN
  DROP EXTENSION pg_trgm;
EXCEPTION WHEN dependent_objects_still_exist THEN
  NULL;
END $$;
