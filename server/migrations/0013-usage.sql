-- Receipts by operation and state, and the usage of any stretch of days, of an account with millions of runs: each pair
-- of operation and state lies in time. One index for both, because it costs every call two entries: a run was never
-- updated in place (its state stands in the conditions of other indexes), so no cheaper update is lost.
CREATE INDEX usage_run_listed ON usage_run (account_id, operation, state, created_at);

-- down
DROP INDEX usage_run_listed;
