-- A suspended account comes back by being resumed; a deleted one never does, but its row stays: receipts point at it.
ALTER TABLE account
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN deleted_at timestamptz,
  -- A lower plan counts from the next month on. Nothing runs at that moment: plan_in_force() reads the clock.
  ADD COLUMN next_plan text,
  ADD COLUMN next_plan_from timestamptz,
  -- Credits of overage a month that the account agreed to; null stands for the whole of its plan's cap.
  ADD COLUMN overage_cap bigint CHECK (overage_cap > 0),
  ADD CHECK ((next_plan IS NULL) = (next_plan_from IS NULL)),
  ADD CHECK (overage_cap IS NULL OR overage_enabled);

-- The plan that an account is on at this moment. `next_plan_from` is the start of a month in UTC.
CREATE FUNCTION plan_in_force(plan text, next_plan text, next_plan_from timestamptz) RETURNS text
  LANGUAGE sql VOLATILE AS 'SELECT CASE WHEN next_plan_from <= ledger_now() THEN next_plan ELSE plan END';

-- A link that signs a person in once. Only the hash of its token is kept; it lives ten minutes.
CREATE TABLE sign_in_link (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES account,
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT ledger_now(),
  expires_at timestamptz NOT NULL,
  redeemed_at timestamptz
);
CREATE INDEX sign_in_link_account ON sign_in_link (account_id);

-- What plans and operators gave a bucket, without its runs: a raised plan reads what it has given so far.
CREATE INDEX ledger_entry_total ON ledger_entry (account_id, bucket_id) WHERE d_total <> 0;

-- down
DROP INDEX ledger_entry_total;
DROP TABLE sign_in_link;
DROP FUNCTION plan_in_force(text, text, timestamptz);
ALTER TABLE account
  DROP COLUMN suspended_at,
  DROP COLUMN deleted_at,
  DROP COLUMN next_plan,
  DROP COLUMN next_plan_from,
  DROP COLUMN overage_cap;
