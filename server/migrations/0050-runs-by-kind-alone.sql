-- Its work is done by ended_run_kind.
DROP INDEX ended_run_listed;

-- down
CREATE INDEX ended_run_listed ON ended_run (account_id, operation, state, created_at);
