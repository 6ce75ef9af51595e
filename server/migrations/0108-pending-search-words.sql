-- New search words first go to the index's pending list, and from there to the index in bulk. Inserting the words of each listing
-- one by one took twice the time and wrote four times the log. A search reads the whole pending list, so it is limited to 512 kB.
ALTER INDEX listing_words_words SET (fastupdate = on, gin_pending_list_limit = 512);

-- down
ALTER INDEX listing_words_words RESET (gin_pending_list_limit);
ALTER INDEX listing_words_words SET (fastupdate = off);
