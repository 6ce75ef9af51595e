-- Receipts and usage find an account's ended runs of one operation and state in time. Accounts take turns, so each adds at the
-- end of its own stretch of the index: PostgreSQL then leaves half of every page empty, but fills them where an entry is no
-- wider than two numbers. So account, operation and state stand there as one number: an entry takes a third of the bytes.
-- Where two kinds share a number, the rows tell them apart (src/ledger/run-kind.condition.ts).
CREATE INDEX CONCURRENTLY ended_run_kind ON ended_run
  (hashtextextended(operation || ' ' || state, uuid_hash_extended(account_id, 0)), created_at);

-- down
DROP INDEX ended_run_kind;
