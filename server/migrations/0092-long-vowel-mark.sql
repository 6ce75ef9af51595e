-- The long vowel mark of Japanese was a word of its own. The words of listings that have it are written again.
UPDATE listing_words SET form = 1 WHERE words @@ $$'ー':*$$::tsquery;

-- down
UPDATE listing_words SET form = 1 WHERE words @@ $$'ー':*$$::tsquery;
