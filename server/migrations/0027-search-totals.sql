-- How many listings a common search finds, counted once and kept right, so that nobody waits for a count of half the
-- directory. A kept total and the changes since then, which everybody reads at one moment, are together what a count would
-- find: to keep a total is to take every change that the count has seen away, in the same statement.
CREATE TABLE search_total (
  search tsquery NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL,
  category text NOT NULL,
  count bigint NOT NULL,
  kept_at timestamptz NOT NULL DEFAULT ledger_now(),
  PRIMARY KEY (search, type, verified, tier, category)
);

-- What was found (1), or is found no more (-1), since then; all null where so much changed at once that no total holds.
CREATE TABLE search_change (
  type text,
  verified boolean,
  tier text,
  category text,
  words tsvector,
  difference smallint,
  CHECK ((words IS NULL) = (difference IS NULL))
);

-- A statement that changes more listings than this is one of an import.
CREATE FUNCTION note_found_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT count(*) FROM touched) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change SELECT type, verified, tier, category, words, TG_ARGV[0]::smallint FROM touched;
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION note_changed_words() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE FUNCTION note_no_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_change DEFAULT VALUES;
  RETURN NULL;
END $$;
CREATE TRIGGER words_added AFTER INSERT ON listing_words REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_found_listings('1');
CREATE TRIGGER words_removed AFTER DELETE ON listing_words REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION note_found_listings('-1');
CREATE TRIGGER words_changed AFTER UPDATE ON listing_words REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION note_changed_words();
CREATE TRIGGER words_emptied AFTER TRUNCATE ON listing_words FOR EACH STATEMENT EXECUTE FUNCTION note_no_words();

-- down
DROP TRIGGER words_added ON listing_words;
DROP TRIGGER words_removed ON listing_words;
DROP TRIGGER words_changed ON listing_words;
DROP TRIGGER words_emptied ON listing_words;
DROP FUNCTION note_found_listings();
DROP FUNCTION note_changed_words();
DROP FUNCTION note_no_words();
DROP TABLE search_change;
DROP TABLE search_total;
