-- Finds the facts of one source, such as those of a domain that is no longer trusted, and all standings of packages.
CREATE INDEX CONCURRENTLY observed_fact_source ON observed_fact (fact, source);

-- down
DROP INDEX observed_fact_source;
