-- How names, their words and tags are spelled, each about once, so that what somebody mistyped leads to what was meant.
-- Rows may stand twice, where two imports met, and stay where their listing goes: what is suggested is looked for first.
-- pg_trgm comes with PostgreSQL, and any role that may create in the database may create it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE search_spelling (word text COLLATE "C" NOT NULL);
CREATE INDEX search_spelling_word ON search_spelling (word);
CREATE INDEX search_spelling_near ON search_spelling USING gin (word gin_trgm_ops);

-- The setting belongs to the function, so that no session has to be prepared. Two letters that changed places in a word of
-- six leave a quarter of its trigrams.
CREATE FUNCTION near_spellings(asked text, most int) RETURNS TABLE (word text) LANGUAGE sql STABLE
SET pg_trgm.similarity_threshold = 0.2 AS $$
  SELECT word FROM search_spelling WHERE word % asked GROUP BY word
  ORDER BY similarity(word, asked) DESC, word LIMIT most
$$;

-- down
DROP FUNCTION near_spellings(text, int);
DROP TABLE search_spelling;
-- The extension goes, unless somebody else has come to need it.
DO $$
BEGIN
  DROP EXTENSION pg_trgm;
EXCEPTION WHEN dependent_objects_still_exist THEN
  NULL;
END $$;
