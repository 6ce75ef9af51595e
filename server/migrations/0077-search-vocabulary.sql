-- Searches look up how common their words are in a vocabulary, and count up to 10,000 matches. Stored totals and matches of
-- searches, and the bits of filter terms in sort tables, are no longer needed. The server rewrites the words of listings in the
-- background. A server of the version before fails without the tables: stop it first (`server/docs/install.md`).
-- The next migration makes the indexes again that contained the bits.
DROP TRIGGER words_added ON listing_words;
DROP TRIGGER words_changed ON listing_words;
DROP TRIGGER words_emptied ON listing_words;
DROP TRIGGER words_removed ON listing_words;
DROP TABLE search_change, search_match, search_total;
DROP FUNCTION keep_counted_matches(), note_changed_words(), note_found_listings(), note_no_words();
DROP FUNCTION near_spellings(text, real, integer);
DROP TABLE search_spelling;
CREATE TABLE search_word (
  word text COLLATE "C" NOT NULL,
  stem text COLLATE "C" NOT NULL,
  listings integer NOT NULL,
  named integer NOT NULL
);
INSERT INTO search_word (word, stem, listings, named)
SELECT w.word, w.word, w.ndoc, least(w.ndoc, coalesce(n.ndoc, 0) + coalesce(t.ndoc, 0))
FROM ts_stat('SELECT words FROM listing_words') w
LEFT JOIN ts_stat('SELECT words FROM listing_words') n ON n.word = '=' || w.word
LEFT JOIN ts_stat('SELECT words FROM listing_words') t ON t.word = '+' || w.word
WHERE w.word !~ '^[=^~+@#]';
CREATE INDEX search_word_word ON search_word USING btree (word);
CREATE INDEX search_word_near ON search_word USING gin (word gin_trgm_ops) WHERE named > 0;
CREATE FUNCTION near_words(asked text, threshold real, most integer)
 RETURNS TABLE(word text)
 LANGUAGE plpgsql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT n.word FROM (SELECT s.word FROM search_word s WHERE s.word % asked AND s.named > 0 LIMIT 20 * most) n
    GROUP BY n.word ORDER BY similarity(n.word, asked) DESC, n.word LIMIT most;
END $function$;
CREATE FUNCTION lists_of(imported jsonb)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN jsonb_typeof(imported -> 'sources') = 'array' THEN greatest(1, jsonb_array_length(imported -> 'sources')) ELSE 1 END
$function$;
DROP FUNCTION popularity_of(bigint);
DROP INDEX listing_words_earlier;
ALTER TABLE listing_words ALTER COLUMN form SET DEFAULT 2;
ALTER TABLE listing_rank DROP COLUMN license, DROP COLUMN marks;
ALTER TABLE listing_order DROP COLUMN marks;
DROP FUNCTION mark_bits(text);

-- down
CREATE FUNCTION mark_bits(mark text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT (1::bigint << (get_byte(sha256(replace(mark, '\', '\\')::bytea), 0) & 63))
    | (1::bigint << (get_byte(sha256(replace(mark, '\', '\\')::bytea), 1) & 63))
$function$;
CREATE FUNCTION popularity_of(stars bigint)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  SELECT CASE WHEN stars > 0 THEN length(ltrim((stars + 1)::bit(64)::text, '0')) - 1 ELSE 0 END::smallint
$function$;
ALTER TABLE listing_order ADD COLUMN marks bigint DEFAULT 0 NOT NULL;
ALTER TABLE listing_rank ADD COLUMN license text DEFAULT ''::text NOT NULL, ADD COLUMN marks bigint DEFAULT 0 NOT NULL;
UPDATE listing_rank k SET license = lower(left(coalesce(l.license, ''), 100) COLLATE "C"), marks = m.marks
FROM listing l CROSS JOIN LATERAL (SELECT coalesce(bit_or(mark_bits(term)), 0) AS marks FROM unnest((listing_marks(l.kind, l.license, l.tags))[2:]) AS term) m
WHERE l.subject_id = k.subject_id;
UPDATE listing_order o SET marks = k.marks FROM listing_rank k WHERE k.subject_id = o.subject_id;
CREATE INDEX listing_order_newest ON listing_order USING btree (listed_at DESC, agent_id) INCLUDE (marks);
CREATE INDEX listing_order_stars ON listing_order USING btree (stars DESC NULLS LAST, agent_id) INCLUDE
  (marks);
CREATE INDEX listing_order_updated ON listing_order USING btree (last_commit_at DESC NULLS LAST, agent_id)
  INCLUDE (marks);
CREATE INDEX listing_rank_licensed ON listing_rank USING btree (license, trust DESC NULLS LAST, confidence
  DESC NULLS LAST, agent_id) INCLUDE (marks) WHERE license <> ''::text;
CREATE INDEX listing_rank_marked ON listing_rank USING btree (trust DESC NULLS LAST, confidence DESC NULLS
  LAST, agent_id) INCLUDE (marks) WHERE marks <> 0;
ALTER TABLE listing_words ALTER COLUMN form SET DEFAULT 1;
UPDATE listing_words w SET form = 0, popularity = popularity_of(l.stars) FROM listing l WHERE l.subject_id = w.subject_id;
CREATE INDEX listing_words_earlier ON listing_words USING btree (subject_id) WHERE form = 0;
DROP FUNCTION near_words(text, real, integer), lists_of(jsonb);
CREATE FUNCTION keep_counted_matches()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM counted WHERE words IS NULL) THEN DELETE FROM search_match;
  ELSE INSERT INTO search_match (search, agent_ids)
    SELECT search, array_agg(agent_id) FROM (
      SELECT k.search, c.agent_id FROM (SELECT DISTINCT search FROM search_match) k JOIN counted c ON c.words @@ k.search
      WHERE c.agent_id IS NOT NULL GROUP BY 1, 2 HAVING sum(c.difference) > 0) AS come
    GROUP BY search;
  END IF;
  RETURN NULL;
END $function$;
CREATE FUNCTION note_changed_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$;
CREATE FUNCTION note_found_listings()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF (SELECT count(*) FROM touched) > 100 THEN INSERT INTO search_change DEFAULT VALUES;
  ELSE INSERT INTO search_change (agent_id, type, verified, tier, category, kind, license, words, difference)
    SELECT agent_id, type, verified, tier, category, kind, license, words, TG_ARGV[0]::smallint FROM touched;
  END IF;
  RETURN NULL;
END $function$;
CREATE FUNCTION note_no_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  INSERT INTO search_change DEFAULT VALUES;
  RETURN NULL;
END $function$;
CREATE TABLE search_change (
  type text,
  verified boolean,
  tier text,
  category text,
  words tsvector,
  difference smallint,
  kind text,
  license text,
  agent_id text,
  CONSTRAINT search_change_check CHECK ((words IS NULL) = (difference IS NULL))
);
CREATE TRIGGER matches_kept AFTER DELETE ON search_change
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION keep_counted_matches();
CREATE TABLE search_match (
  search tsquery NOT NULL,
  agent_ids text[] NOT NULL
);
CREATE INDEX search_match_search ON search_match USING btree (search);
CREATE TABLE search_spelling (
  word text COLLATE "C" NOT NULL
);
CREATE INDEX search_spelling_near ON search_spelling USING gin (word gin_trgm_ops);
CREATE INDEX search_spelling_word ON search_spelling USING btree (word);
CREATE TABLE search_total (
  search tsquery NOT NULL,
  type text NOT NULL,
  verified boolean NOT NULL,
  tier text NOT NULL,
  category text NOT NULL,
  count bigint NOT NULL,
  kept_at timestamp with time zone DEFAULT ledger_now() NOT NULL,
  kind text NOT NULL,
  license text NOT NULL,
  CONSTRAINT search_total_pkey PRIMARY KEY (search, type, verified, tier, category, kind, license)
);
CREATE FUNCTION near_spellings(asked text, threshold real, most integer)
 RETURNS TABLE(word text)
 LANGUAGE plpgsql
 STABLE
 SET "pg_trgm.similarity_threshold" TO '0.2'
AS $function$
BEGIN
  PERFORM set_config('pg_trgm.similarity_threshold', threshold::text, true);
  RETURN QUERY SELECT s.word FROM search_spelling s WHERE s.word % asked GROUP BY s.word
    ORDER BY similarity(s.word, asked) DESC, s.word LIMIT most;
END $function$;
INSERT INTO search_spelling (word) SELECT DISTINCT word FROM search_word WHERE named > 0 AND length(word) BETWEEN 4 AND 60;
DROP TABLE search_word;
CREATE TRIGGER words_added AFTER INSERT ON listing_words
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_found_listings('1');
CREATE TRIGGER words_changed AFTER UPDATE ON listing_words
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION note_changed_words();
CREATE TRIGGER words_emptied AFTER TRUNCATE ON listing_words
  FOR EACH STATEMENT EXECUTE FUNCTION note_no_words();
CREATE TRIGGER words_removed AFTER DELETE ON listing_words
  REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION note_found_listings('-1');
