CREATE INDEX CONCURRENTLY listing_words_earlier ON listing_words USING btree (subject_id) WHERE form < 2;
CREATE INDEX CONCURRENTLY listing_order_newest ON listing_order USING btree (listed_at DESC, agent_id);
CREATE INDEX CONCURRENTLY listing_order_stars ON listing_order USING btree (stars DESC NULLS LAST, agent_id);
CREATE INDEX CONCURRENTLY listing_order_updated ON listing_order USING btree (last_commit_at DESC NULLS LAST, agent_id);

-- down
DROP INDEX listing_order_updated;
DROP INDEX listing_order_stars;
DROP INDEX listing_order_newest;
DROP INDEX listing_words_earlier;
