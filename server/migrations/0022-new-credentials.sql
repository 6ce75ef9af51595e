-- Keys and sessions made since a moment: what a process reads that keeps a filter of those there are.
CREATE INDEX access_key_created ON access_key (created_at);
CREATE INDEX session_created ON session (created_at);

-- down
DROP INDEX session_created;
DROP INDEX access_key_created;
